// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The client's way without a server: the test in a process of its own, by the framework's own
// flags, as gtest_discover_tests would have run it.
#pragma once

#include <string>
#include <utility>

#include "base/result.h"
#include "batch/identity.h"

namespace gordian::batch {

struct FreshEnd {
  int exit_code = 0;
  int signal = 0;
  bool skipped = false;  ///< it succeeded, and the framework's printer called the test skipped
};

/// Runs the one test; its output goes where ours goes. It ends with us. Errors: it cannot be
/// started, or has no such test. `xml` as Request::xml.
Result<FreshEnd> run_fresh_process(const Batch& batch, const std::string& test,
                                   const std::string& xml);

/// Looks for what the exit code does not tell in text that arrives in pieces. A test may print
/// "SKIPPED" itself; the framework calls it skipped only if it does not call it OK.
class OutputWatch {
 public:
  explicit OutputWatch(std::string test) : test_(std::move(test)) {}
  void take(const char* bytes, std::size_t size);
  bool skipped() const { return skipped_ && !passed_; }
  /// The framework found no such test, which it takes for success.
  bool found_nothing() const { return nothing_; }

 private:
  void end_line();
  std::string test_, line_;
  bool skipped_ = false, passed_ = false, nothing_ = false;
};

}  // namespace gordian::batch
