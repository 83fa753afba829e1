// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "engine/isolated_runs.h"

namespace gordian {

Isolation usable_isolation(Isolation asked, const Executor& executor,
                           std::vector<Notice>& notices) {
  if (asked != Isolation::fork || executor.fork_problems().empty()) return asked;
  for (const std::string& problem : executor.fork_problems()) {
    notices.push_back({Notice::Level::warning, "a process per test instead of a fork: " + problem});
  }
  return Isolation::process;
}

Result<std::vector<OrderRun>> run_isolated(Executor& executor, Isolation isolation,
                                           std::span<const Order> orders, RunListener& listener) {
  if (isolation == Isolation::fork) {
    return executor.run_forked(orders, Executor::Shape::flat, listener);
  }
  return executor.run_fresh(orders, listener);
}

}  // namespace gordian
