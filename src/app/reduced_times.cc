// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "app/reduced_times.h"

#include <algorithm>

namespace gordian {
namespace {

struct Timed {
  std::chrono::nanoseconds wall{0};
  Isolation used = Isolation::process;
};

/// One run for each process: only with isolation none it makes a difference where they part.
Result<Timed> time_of(RunRequest request, const RankedBinary& of,
                      const std::vector<ProcessOrder>& processes, RunObserver& observer) {
  std::vector<Order> orders;
  if (request.isolation == Isolation::none) {
    for (const ProcessOrder& process : processes) orders.push_back(process.order);
  } else {
    orders.push_back(joined(processes));
  }
  Timed timed;
  for (const Order& order : orders) {
    request.exact_order.emplace();
    for (TestId test : order) request.exact_order->push_back(of.suite.test(test).full_name());
    auto facts = run_target(request, observer);
    if (!facts) return facts.error();
    if (facts->end == RunEnd::interrupted) return Error{ErrorKind::interrupted, "interrupted", ""};
    timed.wall += facts->wall;
    timed.used = facts->header.used;
  }
  return timed;
}

}  // namespace

Result<std::vector<ReducedTime>> measure_times(const RunRequest& asked, const RankedBinary& of,
                                               const std::vector<ProcessOrder>& reduced, int rounds,
                                               RunObserver& observer) {
  const std::vector<ProcessOrder> all = {{of.tests, std::vector<bool>(of.tests.size())}};
  RunRequest request = asked;
  request.target = of.target;
  request.engine.jobs = 1;
  request.crash_stacks = false;
  std::vector<ReducedTime> times;
  for (Isolation isolation : {Isolation::process, Isolation::snapshot, Isolation::none}) {
    times.push_back(
        {isolation, isolation, std::chrono::hours(24 * 365), std::chrono::hours(24 * 365)});
  }
  for (int round = 0; round < rounds; ++round) {
    for (ReducedTime& time : times) {
      request.isolation = time.asked;
      auto whole = time_of(request, of, all, observer);
      if (!whole) return whole.error();
      auto part = time_of(request, of, reduced, observer);
      if (!part) return part.error();
      time.used = whole->used;
      time.all = std::min(time.all, whole->wall);
      time.reduced = std::min(time.reduced, part->wall);
    }
  }
  return times;
}

}  // namespace gordian
