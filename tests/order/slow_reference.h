// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The same techniques, slow and obvious: sets of numbers, every test looked at each time.
#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "base/random.h"
#include "model/coverage.h"
#include "model/test.h"

namespace gordian::rank_test {

using Units = std::set<std::size_t>;

inline Units units_of(const CoverTable& table, TestId test) {
  Units units;
  for (std::size_t u = 0; u < table.units.size(); ++u) {
    if (table.tests[test.value()].has(u)) units.insert(u);
  }
  return units;
}

inline std::size_t gain_of(const Units& units, const Units& covered) {
  return static_cast<std::size_t>(std::count_if(
      units.begin(), units.end(), [&covered](std::size_t u) { return !covered.contains(u); }));
}

/// The test with the most units outside of `covered`; the one that stands first in `ties`.
inline TestId slow_best(const CoverTable& table, const Order& left, const Units& covered,
                        const Order& ties) {
  TestId best = left.front();
  std::size_t most = 0;
  bool any = false;
  for (TestId test : ties) {
    if (std::find(left.begin(), left.end(), test) == left.end()) continue;
    const std::size_t gain = gain_of(units_of(table, test), covered);
    if (any && gain <= most) continue;
    best = test, most = gain, any = true;
  }
  return best;
}

inline Order slow_ties(const Order& tests, std::uint64_t seed) {
  Order ties = tests;
  Random(seed).shuffle(ties);
  return ties;
}

inline Order slow_total(const CoverTable& table, const Order& tests, std::uint64_t seed) {
  Order left = tests, order;
  const Order ties = slow_ties(tests, seed);
  while (!left.empty()) {
    order.push_back(slow_best(table, left, {}, ties));
    std::erase(left, order.back());
  }
  return order;
}

inline Order slow_additional(const CoverTable& table, const Order& tests, std::uint64_t seed) {
  Order left = tests, order;
  const Order ties = slow_ties(tests, seed);
  Units covered;
  while (!left.empty()) {
    TestId best = slow_best(table, left, covered, ties);
    if (gain_of(units_of(table, best), covered) == 0 && !covered.empty()) {
      covered.clear();  // nothing is left that adds anything: from the beginning
      best = slow_best(table, left, covered, ties);
    }
    covered.merge(units_of(table, best));
    order.push_back(best);
    std::erase(left, best);
  }
  return order;
}

/// Harrold, Gupta and Soffa, as in their paper: a set of tests for each unit.
class SlowReduction {
 public:
  SlowReduction(const CoverTable& table, const Order& tests) : tests_(tests) {
    for (std::size_t u = 0; u < table.units.size(); ++u) {
      std::set<TestId> by;
      for (TestId test : tests) {
        if (table.tests[test.value()].has(u)) by.insert(test);
      }
      if (!by.empty()) open_.push_back(by);
    }
  }

  Order run() {
    std::set<TestId> kept;
    for (std::size_t size = 1; size <= tests_.size(); ++size) {
      while (count(size) > 0) {
        const TestId best = select(size, candidates(size));
        kept.insert(best);
        std::erase_if(open_, [best](const std::set<TestId>& by) { return by.contains(best); });
      }
    }
    Order order;
    for (TestId test : tests_) {
      if (kept.contains(test)) order.push_back(test);
    }
    return order;
  }

 private:
  std::size_t count(std::size_t size) const {
    return static_cast<std::size_t>(std::count_if(
        open_.begin(), open_.end(), [size](const auto& by) { return by.size() == size; }));
  }
  std::vector<TestId> candidates(std::size_t size) const {
    std::vector<TestId> found;
    for (TestId test : tests_) {
      if (in_sets(test, size) > 0) found.push_back(test);
    }
    return found;
  }
  std::size_t in_sets(TestId test, std::size_t size) const {
    return static_cast<std::size_t>(std::count_if(
        open_.begin(), open_.end(),
        [test, size](const auto& by) { return by.size() == size && by.contains(test); }));
  }
  TestId select(std::size_t size, const std::vector<TestId>& list) const {
    if (size > tests_.size()) return list.front();
    std::size_t most = 0;
    for (TestId test : list) most = std::max(most, in_sets(test, size));
    std::vector<TestId> best;
    for (TestId test : list) {
      if (in_sets(test, size) == most) best.push_back(test);
    }
    return best.size() == 1 ? best.front() : select(size + 1, best);
  }

  Order tests_;
  std::vector<std::set<TestId>> open_;
};

}  // namespace gordian::rank_test
