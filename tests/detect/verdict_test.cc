// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The parts of a verdict that need no run: roles, split suites, which result is the odd one, rates.
#include <gtest/gtest.h>

#include "detect/detect.h"
#include "detect/judge.h"
#include "model/dependence.h"
#include "tests/detect/samples.h"

namespace gordian::detect_test {
namespace {

using Kind = OutcomeKind;

TEST(RoleOf, FollowsFromTheResultAlone) {
  const TestId test{2};
  EXPECT_EQ(role_of(outcome(Kind::pass), outcome(Kind::fail), order({0}), test), Role::victim);
  EXPECT_EQ(role_of(outcome(Kind::pass), outcome(Kind::fail), order({0, 1}), test), Role::victim);
  EXPECT_EQ(role_of(outcome(Kind::fail), outcome(Kind::pass), order({0}), test), Role::brittle);
  EXPECT_EQ(role_of(outcome(Kind::crash), outcome(Kind::pass), order({0}), test), Role::brittle);
}

TEST(RoleOf, ATestAfterItselfIsSelfDependentWhateverItDoesAlone) {
  EXPECT_EQ(role_of(outcome(Kind::pass), outcome(Kind::fail), order({2}), TestId{2}),
            Role::self_dependent);
  EXPECT_EQ(role_of(outcome(Kind::fail), outcome(Kind::pass), order({2}), TestId{2}),
            Role::self_dependent);
  EXPECT_EQ(role_of(outcome(Kind::pass), outcome(Kind::fail), order({2, 1}), TestId{2}),
            Role::victim);
}

TEST(Role, WordsAndBack) {
  for (Role role : {Role::victim, Role::brittle, Role::self_dependent}) {
    EXPECT_EQ(parse_role(to_string(role)), role);
  }
  EXPECT_EQ(parse_role("polluter"), std::nullopt);
}

TEST(SplitsSuites, OnlyWhenASuiteIsEnteredAgain) {
  const Suite suite = numbered_suite(6);  // suites {0, 1}, {2, 3}, {4, 5}
  EXPECT_FALSE(splits_suites(suite, {}));
  EXPECT_FALSE(splits_suites(suite, order({1, 0, 1})));
  EXPECT_FALSE(splits_suites(suite, order({4, 5, 0, 2, 3})));
  EXPECT_TRUE(splits_suites(suite, order({0, 2, 1})));
  EXPECT_TRUE(splits_suites(suite, order({0, 2, 4, 1})));
  EXPECT_TRUE(splits_suites(suite, order({0, 2, 0})));
}

TEST(Observed, IsTheResultThatIsNotExpected) {
  Dependence found;
  found.test = TestId{1};
  found.witness = order({0, 1});
  found.alone = found.expected = outcome(Kind::pass);
  found.witnessed = outcome(Kind::fail, 3);
  EXPECT_EQ(found.observed().kind, Kind::fail);
  EXPECT_EQ(found.observed_order(), order({0, 1}));
  found.expected = found.witnessed;  // the polluter stands first in the default order
  EXPECT_EQ(found.observed().kind, Kind::pass);
  EXPECT_EQ(found.observed_order(), order({1}));
}

TEST(RateInterval, KnownValuesOfWilsonsFormula) {
  EXPECT_NEAR(rate_interval(5, 10).low, 0.2366, 0.0001);
  EXPECT_NEAR(rate_interval(5, 10).high, 0.7634, 0.0001);
  EXPECT_NEAR(rate_interval(1, 20).low, 0.0089, 0.0001);
  EXPECT_NEAR(rate_interval(1, 20).high, 0.2361, 0.0001);
}

TEST(RateInterval, StaysWithinItsLimits) {
  EXPECT_EQ(rate_interval(0, 0).low, 0.0);
  EXPECT_EQ(rate_interval(0, 0).high, 1.0);
  for (int runs : {1, 3, 20, 1000}) {
    EXPECT_NEAR(rate_interval(0, runs).low, 0.0, 1e-9);
    EXPECT_NEAR(rate_interval(runs, runs).high, 1.0, 1e-9);
    for (int hits = 0; hits <= runs; ++hits) {
      const Interval interval = rate_interval(hits, runs);
      EXPECT_LE(interval.low, static_cast<double>(hits) / runs + 1e-9);
      EXPECT_GE(interval.high, static_cast<double>(hits) / runs - 1e-9);
    }
  }
}

TEST(RateInterval, MoreRunsSayMore) {
  const Interval few = rate_interval(2, 10), many = rate_interval(20, 100);
  EXPECT_LT(many.high - many.low, few.high - few.low);
}

TEST(AlgorithmNames, WordsAndBack) {
  for (const char* word : {"auto", "isolation", "reversal", "random", "exhaustive", "aware",
                           "pairs", "screen", "self"}) {
    ASSERT_TRUE(parse_algorithm(word).has_value()) << word;
    EXPECT_EQ(to_string(*parse_algorithm(word)), word);
  }
  EXPECT_EQ(parse_algorithm("Auto"), std::nullopt);
}

}  // namespace
}  // namespace gordian::detect_test
