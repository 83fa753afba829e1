// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "detect/judge.h"

#include <algorithm>
#include <set>

#include "detect/minimise.h"
#include "detect/wavering.h"

namespace gordian {
namespace {

/// How often an order that wavers is run in all, for its rate.
constexpr int kRunsForRate = 20;

Order with(Order before, TestId last) {
  before.push_back(last);
  return before;
}

/// The order was run as far as it goes: to its last test, or to one that ended the process.
bool was_run(const Suite& suite, const OrderRun& run) {
  if (is_known(run.runs.back().outcome)) return true;
  return std::any_of(run.runs.begin(), run.runs.end(),
                     [&suite](const TestRun& test) { return ends_its_order(suite, test.outcome); });
}

}  // namespace

Role role_of(const Outcome& alone, const Outcome& witnessed, const Order& by, TestId test) {
  if (by == Order{test}) return Role::self_dependent;
  bool helped = alone.kind != OutcomeKind::pass && witnessed.kind == OutcomeKind::pass;
  return helped ? Role::brittle : Role::victim;
}

bool splits_suites(const Suite& suite, const Order& order) {
  std::set<std::string> left;
  for (std::size_t i = 1; i < order.size(); ++i) {
    const std::string &before = suite.test(order[i - 1]).suite, &now = suite.test(order[i]).suite;
    if (before == now) continue;
    left.insert(before);
    if (left.contains(now)) return true;
  }
  return false;
}

/// A run whose process ended before the test tells nothing of it, and is made up for by another.
Result<Judge::Repeated> Judge::repeat(const Order& order, const Outcome& wanted) {
  auto outcomes = lab_.repeat(order, confirmations_);
  if (!outcomes) return outcomes.error();
  auto as_wanted = [&wanted](const Outcome& o) { return same_result(o, wanted); };
  if (std::all_of(outcomes->begin(), outcomes->end(), as_wanted)) return Repeated{true, {}};
  auto more = lab_.repeat(order, std::max(0, kRunsForRate - confirmations_));
  if (!more) return more.error();
  outcomes->insert(outcomes->end(), more->begin(), more->end());
  std::erase_if(*outcomes, [](const Outcome& o) { return !is_known(o); });
  if (std::all_of(outcomes->begin(), outcomes->end(), as_wanted)) {
    return Repeated{outcomes->size() >= static_cast<std::size_t>(confirmations_), {}};
  }
  outcomes->push_back(wanted);  // the run that raised the suspicion counts too
  return Repeated{false, describe_wavering(order.back(), order, *outcomes)};
}

Result<Judge::Repeated> Judge::check_alone(TestId test) {
  if (!knowledge_.alone(test)) {
    auto outcome = lab_.repeat({test}, 1);
    if (!outcome) return outcome.error();
    if (!is_known(outcome->front())) return Repeated{};
    knowledge_.set_alone(test, outcome->front());
  }
  return repeat({test}, *knowledge_.alone(test));
}

Result<Judge::Verdict> Judge::examine(const Suspicion& suspicion) {
  const TestId test = suspicion.order.back();
  const Outcome expected = *knowledge_.expected(test);
  // 1. Each of the three orders must be stable by itself.
  Order in_default = with(knowledge_.default_predecessors(test), test);
  for (const auto& [order, wanted] :
       {std::pair{suspicion.order, suspicion.observed}, {in_default, expected}}) {
    auto repeated = repeat(order, wanted);
    if (!repeated) return repeated.error();
    if (!repeated->stable) return Verdict{std::nullopt, repeated->wavers};
  }
  auto by_itself = check_alone(test);
  if (!by_itself) return by_itself.error();
  if (!by_itself->stable) return Verdict{std::nullopt, by_itself->wavers};

  // 2. The result that differs from the one alone, and the order that gives it.
  const Outcome alone = *knowledge_.alone(test);
  const bool suspicion_differs = !same_result(suspicion.observed, alone);
  const Outcome wanted = suspicion_differs ? suspicion.observed : expected;
  Order before = suspicion_differs ? suspicion.order : in_default;
  before.pop_back();

  // 3. The shortest way there.
  auto by = minimise(lab_, before, test, wanted);
  if (!by) return by.error();
  if (!*by || (*by)->empty()) return Verdict{};
  Dependence found;
  found.test = test;
  found.expected = expected;
  found.alone = alone;
  found.witnessed = wanted;
  found.found_by = suspicion.algorithm;
  set_by(found, **by);
  auto still = repeat(found.witness, wanted);
  if (!still) return still.error();
  if (!still->stable) return Verdict{std::nullopt, still->wavers};
  found.confirmed = confirmations_;
  if (found.by.size() == 1) found.singles = found.by;
  return Verdict{found, std::nullopt};
}

Result<std::optional<std::vector<TestId>>> Judge::confirmed(
    const std::vector<TestId>& candidates, const std::function<Order(TestId)>& order_of,
    const Outcome& wanted) {
  std::vector<TestId> left = candidates;
  for (int round = 0; round < confirmations_ && !left.empty(); ++round) {
    std::vector<Order> orders;
    for (TestId id : left) orders.push_back(order_of(id));
    auto runs = lab_.run(orders, OrderRunner::Shape::flat);
    if (!runs) return runs.error();
    std::vector<TestId> kept;
    for (std::size_t i = 0; i < left.size(); ++i) {
      const OrderRun& run = (*runs)[i];
      if (!was_run(lab_.suite(), run)) return std::optional<std::vector<TestId>>();
      if (same_result(run.runs.back().outcome, wanted)) kept.push_back(left[i]);
    }
    left = std::move(kept);
  }
  return std::optional(left);
}

Status Judge::complete_singles(Dependence& dependence) {
  const TestId test = dependence.test;
  std::vector<TestId> candidates;
  for (TestId first : knowledge_.tests()) {
    if (knowledge_.ends_process(first)) continue;
    if (first == test && dependence.role != Role::self_dependent) continue;
    if (lab_.declared().before(test, first)) continue;
    bool known = first != test && knowledge_.pair_covered(first, test);
    if (!known || Order{first} == dependence.by) candidates.push_back(first);
  }
  for (TestId first : knowledge_.firsts_giving(test, dependence.witnessed)) {
    if (first == test) continue;  // a test that also changes itself is no polluter of itself
    if (std::find(candidates.begin(), candidates.end(), first) == candidates.end()) {
      candidates.push_back(first);
    }
  }
  std::sort(candidates.begin(), candidates.end());
  auto singles = confirmed(
      candidates,
      [test](TestId first) {
        return Order{first, test};
      },
      dependence.witnessed);
  if (!singles) return singles.error();
  if (!*singles) return {};
  dependence.singles = std::move(**singles);
  dependence.singles_complete = true;
  bool longer_than_needed = dependence.by.size() > 1 && !dependence.singles.empty();
  if (longer_than_needed) set_by(dependence, {dependence.singles.front()});
  return {};
}

void Judge::set_by(Dependence& dependence, Order by) const {
  dependence.by = std::move(by);
  // With what it declares: that is what was run, and what a replay has to run.
  dependence.witness = lab_.declared().complete(with(dependence.by, dependence.test)).order;
  dependence.role = role_of(dependence.alone, dependence.witnessed, dependence.by, dependence.test);
  dependence.splits_suite = splits_suites(lab_.suite(), dependence.witness);
}

Status Judge::shorten(Dependence& dependence, const Order& order) {
  Order before(order.begin(), order.end() - 1);
  auto by = minimise(lab_, before, dependence.test, dependence.witnessed);
  if (!by) return by.error();
  if (!*by || (*by)->empty() || (*by)->size() >= dependence.by.size()) return {};
  auto repeated = repeat(with(**by, dependence.test), dependence.witnessed);
  if (!repeated) return repeated.error();
  if (repeated->stable) set_by(dependence, **by);
  return {};
}

Status Judge::complete_cleaners(Dependence& dependence) {
  if (dependence.role != Role::victim) return {};
  auto known = known_cleaners_.find(dependence.test);
  auto tried_before = [&](TestId id) {
    if (known == known_cleaners_.end() || !knowledge_.settled(id)) return false;
    return std::find(known->second.begin(), known->second.end(), id) == known->second.end();
  };
  std::vector<TestId> candidates;
  for (TestId id : knowledge_.tests()) {
    if (tried_before(id)) continue;
    const Order& witness = dependence.witness;
    bool part_of_it = std::find(witness.begin(), witness.end(), id) != witness.end();
    bool lawful = lab_.declared().is_lawful(with(with(dependence.by, id), dependence.test));
    if (!part_of_it && lawful) candidates.push_back(id);  // also what ends the process alone
  }
  auto cleaners = confirmed(
      candidates,
      [&dependence](TestId cleaner) {
        Order order = dependence.by;
        order.push_back(cleaner);
        order.push_back(dependence.test);
        return order;
      },
      dependence.alone);
  if (!cleaners) return cleaners.error();
  if (!*cleaners) return {};
  dependence.cleaners = std::move(**cleaners);
  dependence.cleaners_complete = true;
  return {};
}

}  // namespace gordian
