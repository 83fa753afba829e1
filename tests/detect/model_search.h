// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Searches of model suites, and the check that a report says nothing but the truth about them.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>

#include "detect/search.h"
#include "tests/detect/model_collector.h"
#include "tests/detect/model_suite.h"

namespace gordian::detect_test {

inline DetectFacts search_model(ModelRunner& runner, Algorithm algorithm, int k = 2,
                                const std::function<void(DetectRequest&)>& adjust = {}) {
  DetectRequest request;
  request.algorithm = algorithm;
  request.k = k;
  request.seed = 5;
  request.trials = 50;
  request.budget = std::chrono::milliseconds(0);
  if (adjust) adjust(request);
  DetectFacts facts;
  facts.suite = runner.suite();
  SearchListener silent;
  Search search(request, runner, facts, silent);
  EXPECT_TRUE(search.begin(runner.suite().default_order()));
  EXPECT_TRUE(search.run_algorithm());
  EXPECT_TRUE(search.finish());
  return facts;
}

/// A search that knows what the tests of the model read and write.
inline DetectFacts search_flow(ModelRunner& runner, Algorithm algorithm, int k = 2,
                               bool misses_something = false) {
  return search_model(runner, algorithm, k, [&](DetectRequest& request) {
    request.collector = collector_of(runner, misses_something);
  });
}

/// What each test does in the default order; behind a crash, in that order without it.
inline std::vector<Outcome> expected_of(const ModelRunner& runner) {
  std::vector<Outcome> expected(runner.suite().size());
  Order left = runner.suite().default_order();
  for (bool crashed = true; crashed;) {
    crashed = false;
    Random unused(0);
    const std::vector<Outcome> seen = runner.outcomes(left, unused);
    for (std::size_t i = 0; i < left.size() && !crashed; ++i) {
      if (expected[left[i].value()].kind == OutcomeKind::not_run) {
        expected[left[i].value()] = seen[i];
      }
      crashed = seen[i].kind == OutcomeKind::crash;
      if (crashed) left.erase(left.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
  return expected;
}

inline std::vector<TestId> giving(const ModelRunner& runner, const Dependence& found,
                                  const Order& before, const Outcome& wanted) {
  std::vector<TestId> result;
  for (TestId other : runner.suite().default_order()) {
    if (other == found.test && found.role != Role::self_dependent) continue;
    Order order = before;
    order.push_back(other);
    if (same_result(runner.after(order, found.test), wanted)) result.push_back(other);
  }
  return result;
}

/// Order by order: the model does what the report says, no member of a witness can be left out, and
/// lists that are said to be complete are. For models without noise.
inline void check_true(const ModelRunner& runner, const DetectFacts& facts) {
  const std::vector<Outcome> expected = expected_of(runner);
  for (const Dependence& found : facts.dependences) {
    SCOPED_TRACE(runner.suite().test(found.test).name);
    EXPECT_TRUE(same_result(found.expected, expected[found.test.value()]));
    EXPECT_TRUE(same_result(found.alone, runner.after({}, found.test)));
    EXPECT_TRUE(same_result(found.witnessed, runner.after(found.by, found.test)));
    EXPECT_FALSE(same_result(found.alone, found.witnessed));
    EXPECT_FALSE(same_result(found.observed(), found.expected));
    EXPECT_EQ(found.role, role_of(found.alone, found.witnessed, found.by, found.test));
    for (std::size_t i = 0; i < found.by.size(); ++i) {
      Order less = found.by;
      less.erase(less.begin() + static_cast<std::ptrdiff_t>(i));
      const Order& needed = found.passes_after;
      if (std::find(needed.begin(), needed.end(), found.by[i]) != needed.end()) continue;
      EXPECT_FALSE(same_result(runner.after(less, found.test), found.witnessed)) << i;
    }
    EXPECT_GE(found.fresh, 3);
    const bool in_context = !found.passes_after.empty();
    if (in_context) {
      EXPECT_EQ(runner.after(found.passes_after, found.test).kind, OutcomeKind::pass);
    }
    std::vector<TestId> singles;
    if (!in_context) singles = giving(runner, found, {}, found.witnessed);
    // By their place crashes are told apart; see the tests of the judge.
    if (found.witnessed.kind == OutcomeKind::crash) {
      std::erase_if(singles, [&](TestId single) {
        return runner.after({single}, found.test).line != found.witnessed.line;
      });
    }
    const Outcome good = in_context ? outcome(OutcomeKind::pass) : found.alone;
    std::vector<TestId> cleaners = giving(runner, found, found.by, good);
    std::erase_if(cleaners, [&found](TestId test) {
      return std::find(found.by.begin(), found.by.end(), test) != found.by.end();
    });
    EXPECT_TRUE(
        std::includes(singles.begin(), singles.end(), found.singles.begin(), found.singles.end()));
    if (found.singles_complete) {
      EXPECT_EQ(found.singles, singles);
    }
    if (found.cleaners_complete) {
      EXPECT_EQ(found.cleaners, cleaners);
    }
    if (found.by.size() == 1) {
      EXPECT_EQ(std::count(found.singles.begin(), found.singles.end(), found.by[0]), 1);
    }
  }
}

}  // namespace gordian::detect_test
