// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Do the tests of an order do what is expected of them? The expected results are established once,
// as a search does it; then any number of orders can be checked. What differs is repeated: only
// what differs every time, in the same way, counts as changed.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "detect/detect.h"
#include "detect/knowledge.h"
#include "detect/lab.h"
#include "model/rank_facts.h"

namespace gordian {

class OrderCheck {
 public:
  /// Of `request` target, filter, confirmations, isolation and engine count. `listener` is told how
  /// it goes on until this object ends.
  static Result<std::unique_ptr<OrderCheck>> open(const DetectRequest& request,
                                                  SearchListener& listener);

  /// The same with any runner.
  OrderCheck(OpenTarget open, int confirmations, bool fresh, SearchListener& listener);
  Status establish();

  const std::optional<Outcome>& expected(TestId test) const { return knowledge_.expected(test); }
  /// Its result is expected to be the same whenever its order is.
  bool is_settled(TestId test) const;

  /// One order for each process. Tests that ended the default order are left out of them, and
  /// extras are run but not judged. `name` is for the display. An interrupt is an error.
  Result<CheckedOrder> check(const std::string& name, const std::vector<ProcessOrder>& processes);

 private:
  void beat();
  std::vector<ChangedResult> compare(const OrderRun& run, const ProcessOrder& process,
                                     CheckedOrder& checked) const;
  Status confirm(const Order& order, std::vector<ChangedResult> suspects, CheckedOrder& checked);

  OpenTarget open_;
  int confirmations_;
  SearchListener& listener_;
  Knowledge knowledge_;
  Lab lab_;
  SearchProgress progress_;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
};

// The order of a run that failed elsewhere, from the report it left.

struct FailedOrder {
  std::vector<std::string> names;  ///< tests that were run, in order
  /// GoogleTest's own seed of a shuffled run whose order the file itself does not tell.
  std::optional<std::uint32_t> framework_seed;
};

/// The order in which the tests of a JUnit or GoogleTest XML file ran. Our own reports name it;
/// else by timestamp where every test case has one that tells; else as written, with the seed if
/// GoogleTest shuffled. Tests that were not run are left out.
Result<FailedOrder> read_failed_order(const std::string& file);

/// The same for the text of such a file; `name` is for messages.
Result<FailedOrder> parse_failed_order(const std::string& xml, const std::string& name);

}  // namespace gordian
