// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "detect/baseline.h"

#include <algorithm>
#include <map>
#include <optional>

namespace gordian {

NondeterministicTest describe_nondeterministic(TestId test, const Order& order,
                                               const std::vector<Outcome>& outcomes) {
  NondeterministicTest found;
  found.test = test;
  found.order = order;
  std::size_t best = 0, best_count = 0;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    auto same = [&](const Outcome& o) { return same_result(o, outcomes[i]); };
    auto count = static_cast<std::size_t>(std::count_if(outcomes.begin(), outcomes.end(), same));
    if (count > best_count) best = i, best_count = count;
  }
  found.usual = outcomes[best];
  for (const Outcome& outcome : outcomes) {
    if (same_result(outcome, found.usual)) continue;
    ++found.differ;
    found.other = outcome;
  }
  found.runs = static_cast<int>(outcomes.size());
  return found;
}

NondeterministicTest describe_nondeterministic_in_fresh(TestId test, const Order& order,
                                                        const std::vector<Outcome>& after,
                                                        const std::vector<Outcome>& alone) {
  std::vector<Outcome> all = after;
  all.insert(all.end(), alone.begin(), alone.end());
  NondeterministicTest found = describe_nondeterministic(test, order, all);
  auto differing = [&found](const std::vector<Outcome>& outcomes) {
    return static_cast<int>(std::count_if(outcomes.begin(), outcomes.end(), [&](const Outcome& o) {
      return !same_result(o, found.usual);
    }));
  };
  found.in_fresh = true;
  found.runs = static_cast<int>(after.size());
  found.differ = differing(after);
  found.alone_runs = static_cast<int>(alone.size());
  found.alone_differ = differing(alone);
  return found;
}

namespace {

/// What one order, repeated, gave.
struct Observed {
  std::map<TestId, std::vector<Outcome>> outcomes;
  std::optional<TestId> ender;         ///< the first that ended the process in any of the runs
  std::size_t seen_by_all = SIZE_MAX;  ///< its position: the tests up to it were seen by every run

  void add(const Suite& suite, const std::vector<OrderRun>& runs) {
    for (const OrderRun& run : runs) {
      for (std::size_t i = 0; i < run.runs.size(); ++i) {
        const Outcome& outcome = run.runs[i].outcome;
        if (is_known(outcome)) outcomes[run.order[i]].push_back(outcome);
        if (ends_its_order(suite, outcome) && i < seen_by_all) {
          ender = run.order[i], seen_by_all = i;
        }
      }
    }
  }
};

/// Forks of one process share its address layout and much else; what depends on that shows only
/// between fresh processes.
Status observe(Lab& lab, const Order& order, int repeats, Observed& observed) {
  constexpr std::size_t kFreshRepeats = 2;
  std::vector<Order> orders(static_cast<std::size_t>(repeats), order);
  auto runs = lab.run(orders, OrderRunner::Shape::flat);
  if (!runs) return runs.error();
  observed.add(lab.suite(), *runs);
  orders.resize(kFreshRepeats);
  auto fresh = lab.run_in_fresh_processes(orders);
  if (!fresh) return fresh.error();
  observed.add(lab.suite(), *fresh);
  return {};
}

void settle(TestId test, const std::vector<Outcome>& outcomes, Knowledge& knowledge,
            DetectFacts& facts) {
  NondeterministicTest seen = describe_nondeterministic(test, {}, outcomes);
  if (!knowledge.expected(test)) knowledge.set_expected(test, seen.usual);
  if (seen.differ == 0) return;
  knowledge.set_standing(test, Knowledge::Standing::nondeterministic);
  facts.nondeterministic.push_back(seen);
}

/// Gives their expected results to the tests that every run has reached. What stands
/// after a test that ended only some of the runs has to wait for an order without it: else its
/// result would come from an order that is not always the same.
void settle_all(const Order& order, const Observed& observed, Knowledge& knowledge,
                DetectFacts& facts) {
  for (std::size_t i = 0; i < order.size() && i <= observed.seen_by_all; ++i) {
    auto known = observed.outcomes.find(order[i]);
    if (known == observed.outcomes.end() || knowledge.expected(order[i])) continue;
    settle(order[i], known->second, knowledge, facts);
  }
  if (!observed.ender) return;
  knowledge.set_ends_default_order(*observed.ender);
  // It had lived through an earlier round: now it is nondeterministic.
  if (knowledge.standing(*observed.ender) != Knowledge::Standing::open) return;
  std::vector<Outcome> outcomes = observed.outcomes.at(*observed.ender);
  outcomes.push_back(*knowledge.expected(*observed.ender));
  settle(*observed.ender, outcomes, knowledge, facts);
}

}  // namespace

Status establish_expected(Lab& lab, Knowledge& knowledge, int repeats, DetectFacts& facts) {
  constexpr int kMostEnders = 100;
  const Order& tests = knowledge.tests();
  auto unsettled = [&knowledge](TestId test) { return !knowledge.expected(test); };
  bool more = true;
  for (int round = 0; round < kMostEnders && more; ++round) {
    // The default order without the tests that are known to end the process.
    Order order;
    for (TestId test : tests) {
      if (!knowledge.ends_default_order(test)) order.push_back(test);
    }
    Observed observed;
    if (Status ran = observe(lab, order, repeats, observed); !ran) return ran;
    if (lab.should_stop()) return {};  // runs that were cut off tell nothing
    settle_all(order, observed, knowledge, facts);
    more = observed.ender && std::any_of(tests.begin(), tests.end(), unsettled);
  }
  for (TestId test : tests) {
    if (!unsettled(test)) continue;
    knowledge.set_standing(test, Knowledge::Standing::left_out);
    facts.left_out.push_back({test, "it could not be run in the default order"});
  }
  return {};
}

}  // namespace gordian
