// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "explain/native/witness_lab.h"

#include <algorithm>

namespace gordian {

Order WitnessLab::behind_then(const Order& tests) const {
  Order order = behind_;
  order.insert(order.end(), tests.begin(), tests.end());
  return order;
}

Result<Outcome> WitnessLab::run(const Visits& visits, Moment moment) {
  const Order order = behind_then(dependence_.witness);
  const std::size_t first = behind_.size(), last = order.size() - 1;
  std::vector<Executor::HoldPoint> points;
  std::vector<const Visit*> wanted;
  auto add = [&](const Visit& visit, Executor::HoldPoint point) {
    if (!visit) return;
    points.push_back(point);
    wanted.push_back(&visit);
  };
  add(visits.at_start, {first, false});
  if (last >= first + 2) add(visits.before_last, {last - 1, false});
  add(visits.at_end, {last, moment == Moment::before_test});
  auto run = executor_.run_held(order, points, [&](HeldProcess& held) {
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (points[i].position == held.position()) return (*wanted[i])(held);
    }
  });
  if (!run) return run.error();
  return run->runs.back().outcome;
}

Result<Outcome> WitnessLab::run_alone(const Visit& visit, Moment moment) {
  Order order = dependence_.passes_after;
  order.push_back(dependence_.test);
  const Order alone = behind_then(order);
  const Executor::HoldPoint point{alone.size() - 1, moment == Moment::before_test};
  auto run = executor_.run_held(alone, {&point, 1}, visit);
  if (!run) return run.error();
  return run->runs.back().outcome;
}

Result<std::optional<Outcome>> WitnessLab::reset(std::span<const Candidate* const> candidates,
                                                 Moment moment) {
  bool all_reset = false;
  Visits visits;
  visits.at_end = [&](HeldProcess& held) {
    all_reset = std::all_of(candidates.begin(), candidates.end(),
                            [&](const Candidate* candidate) { return candidate->reset(held); });
  };
  auto outcome = run(visits, moment);
  if (!outcome) return outcome.error();
  return all_reset ? std::optional(std::move(*outcome)) : std::nullopt;
}

}  // namespace gordian
