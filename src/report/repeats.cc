// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "report/repeats.h"

#include <algorithm>
#include <map>
#include <utility>

#include "report/outcome_text.h"

namespace gordian {
namespace {

using Results = std::vector<std::pair<Outcome, int>>;

void add_result(Results& results, const Outcome& outcome) {
  auto same = std::find_if(results.begin(), results.end(), [&outcome](const auto& seen) {
    return same_result(seen.first, outcome);
  });
  if (same == results.end()) {
    results.emplace_back(outcome, 1);
  } else {
    ++same->second;
  }
}

}  // namespace

OutcomeCounts count_outcomes(const OrderRun& order) {
  OutcomeCounts counts;
  for (const TestRun& run : order.runs) add_outcome(counts, run.outcome.kind);
  return counts;
}

std::vector<ChangedTest> tests_that_changed(const RunFacts& facts) {
  std::map<std::pair<TestId, int>, Results> seen;  // (test, its how-manieth place in the order)
  for (const OrderRun& order : facts.orders) {
    std::map<TestId, int> places;
    for (const TestRun& run : order.runs) {
      int place = places[run.test]++;
      if (is_known(run.outcome)) add_result(seen[{run.test, place}], run.outcome);
    }
  }
  std::vector<ChangedTest> changed;
  for (auto& [key, results] : seen) {
    if (results.size() > 1) changed.push_back({key.first, std::move(results)});
  }
  return changed;
}

}  // namespace gordian
