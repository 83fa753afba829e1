// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "detect/wavering.h"

#include <algorithm>

namespace gordian {

NondeterministicTest describe_wavering(TestId test, const Order& order,
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

NondeterministicTest describe_wavering_in_fresh(TestId test, const Order& order,
                                                const std::vector<Outcome>& after,
                                                const std::vector<Outcome>& alone) {
  std::vector<Outcome> all = after;
  all.insert(all.end(), alone.begin(), alone.end());
  NondeterministicTest found = describe_wavering(test, order, all);
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

}  // namespace gordian
