// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "model/rank_facts.h"

#include <algorithm>
#include <set>

namespace gordian {

std::vector<ProcessOrder> in_one_process(Order tests) {
  std::vector<bool> none(tests.size());
  return {{std::move(tests), std::move(none)}};
}

Order joined(const std::vector<ProcessOrder>& processes) {
  Order all;
  for (const ProcessOrder& process : processes) {
    all.insert(all.end(), process.order.begin(), process.order.end());
  }
  return all;
}

std::size_t count_extras(const std::vector<ProcessOrder>& processes) {
  std::size_t count = 0;
  for (const ProcessOrder& process : processes) {
    count += static_cast<std::size_t>(std::count(process.extra.begin(), process.extra.end(), true));
  }
  return count;
}

const std::optional<GrowthCurve>& RankedOrder::main_curve() const {
  return main_units() == "functions" ? functions : statements;
}

std::string_view RankedOrder::main_units() const {
  return technique == "T5" || technique == "T7" ? "functions" : "statements";
}

std::vector<TestId> ImpactFacts::affected() const {
  std::set<TestId> tests;
  for (const RankedOrder& order : orders) {
    if (!order.checked) continue;
    for (const ChangedResult& changed : order.checked->changed) tests.insert(changed.test);
  }
  return {tests.begin(), tests.end()};
}

}  // namespace gordian
