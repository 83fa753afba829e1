// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Expected results, and results that waver.
#include "detect/lab.h"

#include <gtest/gtest.h>

#include "tests/detect/model_suite.h"

namespace gordian::detect_test {
namespace {

using Kind = OutcomeKind;
using Standing = Knowledge::Standing;

struct Baseline {
  explicit Baseline(std::vector<ModelTest> tests, std::uint64_t noise_seed = 1)
      : runner(std::move(tests), noise_seed) {
    knowledge.set_tests(runner.suite().default_order());
  }
  void establish() { ASSERT_TRUE(establish_expected(lab, knowledge, 3, facts)); }
  Kind expected(const std::string& name) const {
    return knowledge.expected(runner.id(name)).value_or(Outcome{}).kind;
  }
  Standing standing(const std::string& name) const { return knowledge.standing(runner.id(name)); }

  ModelRunner runner;
  Lab lab{runner, false, [] {}};
  Knowledge knowledge{runner.suite()};
  DetectFacts facts;
};

TEST(Baseline, TheDefaultOrderInForksAndInFreshProcesses) {
  Baseline b({ModelTest("P").sets(0, 1), ModelTest("V").expects(0, 0)});
  b.establish();
  EXPECT_EQ(b.expected("P"), Kind::pass);
  EXPECT_EQ(b.expected("V"), Kind::fail);  // stable, so it is what is expected
  EXPECT_EQ(b.standing("V"), Standing::open);
  EXPECT_EQ(b.runner.log(), std::vector<Order>(5, order({0, 1})));
  EXPECT_EQ(b.runner.fresh(), 2u);
}

TEST(Baseline, BehindACrashTheOrderGoesOnWithoutIt) {
  Baseline b({ModelTest("A").sets(0, 1), ModelTest("Crash").sets(0, 0).crashes_if(1, 0),
              ModelTest("V").expects(0, 0), ModelTest("Crash2").crashes_if(0, 1), ModelTest("Z")});
  b.establish();
  EXPECT_EQ(b.expected("Crash"), Kind::crash);
  EXPECT_EQ(b.expected("V"), Kind::fail);
  EXPECT_EQ(b.expected("Crash2"), Kind::crash);
  EXPECT_EQ(b.expected("Z"), Kind::pass);
  EXPECT_EQ(b.knowledge.default_predecessors(b.runner.id("Z")), order({0, 2}));
  EXPECT_TRUE(b.facts.left_out.empty());
  EXPECT_TRUE(b.facts.nondeterministic.empty());
}

TEST(Baseline, WhatWaversIsSetAside) {
  Baseline b({ModelTest("A"), ModelTest("N").fails_in_percent(50)});
  b.establish();
  EXPECT_EQ(b.standing("A"), Standing::open);
  EXPECT_EQ(b.standing("N"), Standing::nondeterministic);
  ASSERT_EQ(b.facts.nondeterministic.size(), 1u);
  EXPECT_EQ(b.facts.nondeterministic[0].runs, 5);
  EXPECT_GT(b.facts.nondeterministic[0].differ, 0);
}

/// Flaky pollutes V whenever it lives. Only Flaky itself wavers, and the expected result of V is
/// what its default predecessors give, whether they are said to hold Flaky or not.
TEST(Baseline, ACrashNowAndThen) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Baseline b(
        {ModelTest("A"), ModelTest("Flaky").crashes_in_percent(50).sets(0, 1),
         ModelTest("V").expects(0, 0), ModelTest("Flaky2").crashes_in_percent(20), ModelTest("Z")},
        seed);
    b.establish();
    EXPECT_TRUE(b.facts.left_out.empty()) << seed;
    for (const NondeterministicTest& test : b.facts.nondeterministic) {
      EXPECT_TRUE(test.test == TestId{1} || test.test == TestId{3}) << seed;
      EXPECT_GT(test.differ, 0) << seed;
    }
    Order before = b.knowledge.default_predecessors(b.runner.id("V"));
    const bool with_flaky = std::find(before.begin(), before.end(), TestId{1}) != before.end();
    EXPECT_EQ(b.expected("V"), with_flaky ? Kind::fail : Kind::pass) << seed;
    EXPECT_EQ(b.expected("Z"), Kind::pass) << seed;
  }
}

TEST(Baseline, WhatCouldNotBeRunIsLeftOut) {
  Baseline b({ModelTest("A"), ModelTest("B")});
  b.runner.stop_after(0);
  b.establish();
  EXPECT_EQ(b.standing("A"), Standing::left_out);
  EXPECT_EQ(b.facts.left_out.size(), 2u);
}

TEST(Wavering, TheMostFrequentResultIsTheUsualOne) {
  std::vector<Outcome> seen = {outcome(Kind::fail, 1), outcome(Kind::pass), outcome(Kind::pass),
                               outcome(Kind::fail, 2)};
  NondeterministicTest found = describe_nondeterministic(TestId{4}, order({1, 4}), seen);
  EXPECT_EQ(found.test, TestId{4});
  EXPECT_EQ(found.order, order({1, 4}));
  EXPECT_EQ(found.usual.kind, Kind::pass);
  EXPECT_EQ(found.other.line, 2);
  EXPECT_EQ(found.runs, 4);
  EXPECT_EQ(found.differ, 2);
}

TEST(Wavering, NoDifferenceWhenAllAreTheSame) {
  EXPECT_EQ(describe_nondeterministic(TestId{0}, {}, {outcome(Kind::pass)}).differ, 0);
  EXPECT_EQ(describe_nondeterministic(TestId{0}, {}, std::vector(5, outcome(Kind::fail, 3))).differ,
            0);
}

}  // namespace
}  // namespace gordian::detect_test
