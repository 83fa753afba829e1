// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "detect/baseline.h"

#include <algorithm>
#include <map>

#include "detect/wavering.h"

namespace gordian {
namespace {

/// Results of each test over the repeats of one order.
using Observed = std::map<TestId, std::vector<Outcome>>;

void collect(const std::vector<OrderRun>& runs, Observed& observed) {
  for (const OrderRun& run : runs) {
    for (const TestRun& test : run.runs) {
      if (is_known(test.outcome)) observed[test.test].push_back(test.outcome);
    }
  }
}

/// Forks of one process share its address layout and much else; what depends on that shows only
/// between fresh processes.
Status observe(Lab& lab, const Order& order, int repeats, Observed& observed) {
  constexpr std::size_t kFreshRepeats = 2;
  std::vector<Order> orders(static_cast<std::size_t>(repeats), order);
  auto runs = lab.run(orders, Executor::Shape::flat);
  if (!runs) return runs.error();
  collect(*runs, observed);
  orders.resize(kFreshRepeats);
  auto fresh = lab.run_in_fresh_processes(orders);
  if (!fresh) return fresh.error();
  collect(*fresh, observed);
  return {};
}

void settle(TestId test, const std::vector<Outcome>& outcomes, Knowledge& knowledge,
            DetectFacts& facts) {
  NondeterministicTest seen = describe_wavering(test, {}, outcomes);
  knowledge.set_expected(test, seen.usual);
  for (const Outcome& outcome : outcomes) {
    if (ends_its_process(outcome)) knowledge.set_ends_default_order(test);
  }
  if (seen.differ == 0) return;
  knowledge.set_standing(test, Knowledge::Standing::nondeterministic);
  facts.nondeterministic.push_back(seen);
}

}  // namespace

Status establish_expected(Lab& lab, Knowledge& knowledge, int repeats, DetectFacts& facts) {
  constexpr int kMostEnders = 100;
  std::vector<TestId> open = knowledge.tests();
  for (int round = 0; round < kMostEnders && !open.empty(); ++round) {
    // The default order without the tests that are known to end the process.
    Order order;
    for (TestId test : knowledge.tests()) {
      if (!knowledge.ends_default_order(test)) order.push_back(test);
    }
    Observed observed;
    if (Status ran = observe(lab, order, repeats, observed); !ran) return ran;
    std::size_t before = open.size();
    std::erase_if(open, [&](TestId test) {
      auto it = observed.find(test);
      if (it == observed.end()) return false;
      settle(test, it->second, knowledge, facts);
      return true;
    });
    if (open.size() == before) break;
  }
  for (TestId test : open) {
    knowledge.set_standing(test, Knowledge::Standing::left_out);
    facts.left_out.push_back({test, "it could not be run in the default order"});
  }
  return {};
}

}  // namespace gordian
