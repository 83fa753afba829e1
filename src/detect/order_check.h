// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Do the tests of an order do what is expected of them? The expected results are established once,
// as a search does it; then any number of orders can be checked. What differs is repeated: only
// what differs every time, in the same way, counts as changed.
#pragma once

#include <chrono>
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

  /// Binary, target, suite, notices, and the tests that are nondeterministic or were left out.
  const DetectFacts& facts() const { return open_.facts; }
  /// Those asked for, in the default order.
  const Order& tests() const { return open_.tests; }
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

}  // namespace gordian
