// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What ctest would say about a process that has ended: by its status, its output and the properties
// of its test. Pure.
#pragma once

#include <string>
#include <string_view>

#include "ctest/ctest.h"
#include "model/outcome.h"

namespace gordian {

/// How a process came to its end.
struct ProcessEnd {
  int wait_status = 0;  ///< as of waitpid()
  bool timed_out = false;
  bool printed_too_much = false;
  int start_error = 0;       ///< errno: it could not be started
  std::string missing_file;  ///< of REQUIRED_FILES; it was not started
};

/// A failure's fingerprint is the first failed assertion if the output shows one, else the exit
/// code; other words of the output may change from run to run and stand in later lines.
Outcome ctest_outcome(const CtestEntry& test, const ProcessEnd& end, std::string_view output);

}  // namespace gordian
