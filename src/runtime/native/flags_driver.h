// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The last step of the fall-back: a binary without our agent, driven by the framework's own command
// line and read from what it prints. Knows the default order and one test per process; other
// orders are beyond the framework and refused.
#pragma once

#include <span>
#include <vector>

#include "base/result.h"
#include "model/run.h"
#include "runtime/native/executor.h"
#include "runtime/order_runner.h"

namespace gordian {

class FlagsDriver {
 public:
  FlagsDriver(Target target, std::string framework_version, ExecutorOptions options);

  /// Asks the binary to list its tests; runs none.
  Result<Suite> list(bool also_disabled);

  /// Can the framework run this order by itself, in one process?
  bool can_run(const Suite& suite, const Order& order) const;

  /// Each order in a process of its own. REQUIRES: can_run() for each.
  Result<std::vector<OrderRun>> run(const Suite& suite, std::span<const Order> orders,
                                    RunListener& listener);

 private:
  std::chrono::nanoseconds time_for(const Order& order) const;
  Result<OrderRun> run_one(const Suite& suite, const Order& order);

  Target target_;
  std::string framework_version_;
  ExecutorOptions options_;
};

}  // namespace gordian
