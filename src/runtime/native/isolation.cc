// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "runtime/native/isolation.h"

namespace gordian {

bool wants_snapshots(Isolation asked) {
  return asked == Isolation::snapshot || asked == Isolation::automatic;
}

Isolation usable_isolation(Isolation asked, const Executor& executor,
                           std::vector<Notice>& notices) {
  if (asked == Isolation::none || asked == Isolation::process) return asked;
  for (const std::string& problem : executor.fork_problems()) {
    notices.push_back({Notice::Level::warning,
                       "a new process each time, instead of a snapshot or fork: " + problem});
  }
  if (!executor.fork_problems().empty()) return Isolation::process;
  if (!wants_snapshots(asked)) return Isolation::fork;
  if (executor.snapshot_problem().empty()) return Isolation::snapshot;
  notices.push_back(
      {Notice::Level::info, "forks instead of snapshots: " + executor.snapshot_problem()});
  return Isolation::fork;
}

Result<std::vector<OrderRun>> run_isolated(Executor& executor, Isolation isolation,
                                           std::span<const Order> orders, RunListener& listener) {
  if (isolation == Isolation::fork || isolation == Isolation::snapshot) {
    return executor.run_forked(orders, Executor::Shape::flat, listener);
  }
  return executor.run_fresh(orders, listener);
}

}  // namespace gordian
