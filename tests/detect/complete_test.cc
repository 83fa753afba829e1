// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Complete is what was seen and judged: what hides results, and what takes verdicts back.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/detect/continued_model.h"

namespace gordian::detect_test {
namespace {

bool wavers(const DetectFacts& facts, TestId test) {
  return std::any_of(facts.nondeterministic.begin(), facts.nondeterministic.end(),
                     [test](const NondeterministicTest& one) { return one.test == test; });
}

std::vector<ModelTest> with_flaky_crash(int percent) {
  return {ModelTest("A"), ModelTest("F").crashes_in_percent(percent), ModelTest("V").expects(0, 0),
          ModelTest("P").sets(0, 1), ModelTest("B")};
}

/// What ran behind it is known only where it did not crash.
TEST(Complete, NotBehindACrashThatComesAndGoes) {
  int hidden = 0, complete = 0;
  for (Algorithm algorithm : {Algorithm::exhaustive, Algorithm::aware, Algorithm::automatic}) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      SCOPED_TRACE(std::string(to_string(algorithm)) + " " + std::to_string(seed));
      ModelRunner runner(with_flaky_crash(seed % 2 == 0 ? 50 : 90), seed);
      const DetectFacts facts = search_model(runner, algorithm, 2);
      const SearchFacts& search = facts.search;
      if (!wavers(facts, runner.id("F"))) continue;
      if (search.complete_k >= 2) {
        // Those that end with F are needless where nothing else is said.
        const std::uint64_t needless = algorithm == Algorithm::exhaustive ? 0 : 4;
        EXPECT_GE(search.pairs_covered + needless, search.pairs_total);
        ++complete;
        continue;
      }
      ++hidden;
      EXPECT_TRUE(
          std::any_of(search.unseen.begin(), search.unseen.end(), [&](const UnseenOrder& one) {
            return one.order.size() == 2 && one.order[0] == runner.id("F") &&
                   one.why.find("not deterministic") != std::string::npos;
          }));
    }
  }
  EXPECT_GT(hidden, 10);
  EXPECT_GT(complete, 10);
}

/// Whichever it did first: what it hides in triples nobody counts.
TEST(Complete, NotForThreeBehindACrashThatComesAndGoes) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    ModelRunner runner(with_flaky_crash(20), seed);
    const DetectFacts facts = search_model(runner, Algorithm::exhaustive, 3);
    if (!wavers(facts, runner.id("F"))) continue;
    EXPECT_LE(facts.search.complete_k, 2) << seed;
  }
}

TEST_F(ContinuedModel, CrashesThatComeAndGoHideNothingForGood) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    std::filesystem::remove(dir_ / "db");
    std::uint64_t covered = 0;
    for (std::uint64_t i = 0; i < 3; ++i) {
      ModelRunner runner(with_flaky_crash(50), 100 * seed + i);
      const DetectFacts facts = search(runner, Algorithm::exhaustive);
      if (!wavers(facts, runner.id("F"))) continue;
      if (facts.search.complete_k >= 2) {
        EXPECT_EQ(facts.search.pairs_covered, facts.search.pairs_total);
      }
      EXPECT_GE(facts.search.pairs_covered, covered) << seed;
      covered = facts.search.pairs_covered;
    }
  }
}

/// V's crash behind A vanishes while it is confirmed; what P does to it is confirmed later.
TEST(Complete, WhatIsConfirmedSettlesNothingElse) {
  ModelRunner runner({ModelTest("V").crashes_if(0, 1).expects(1, 0), ModelTest("A").sets(0, 1),
                      ModelTest("P").sets(1, 1)});
  const Order lost = runner.order({"A", "V"});
  int seen = 0;
  runner.lose([&](const Order& order, bool) { return order == lost && ++seen > 1; });
  const DetectFacts facts = search_model(runner, Algorithm::exhaustive, 2);
  ASSERT_EQ(facts.dependences.size(), 1u);
  EXPECT_EQ(facts.dependences[0].by, runner.order({"P"}));
  EXPECT_EQ(facts.search.complete_k, 1);
  EXPECT_LT(facts.search.pairs_covered, facts.search.pairs_total);
  EXPECT_TRUE(std::any_of(facts.search.unseen.begin(), facts.search.unseen.end(),
                          [&](const UnseenOrder& one) { return one.order == lost; }));
}

/// The same over two batches: pairs of the rows of A and of P are far apart.
TEST(Complete, WhatIsConfirmedLaterSettlesNothingElse) {
  std::vector<ModelTest> tests{ModelTest("V").crashes_if(0, 1).expects(1, 0),
                               ModelTest("A").sets(0, 1)};
  for (int i = 0; i < 80; ++i) tests.emplace_back("T" + std::to_string(i));
  tests.push_back(ModelTest("P").sets(1, 1));
  ModelRunner runner(tests);
  const Order lost = runner.order({"A", "V"});
  int seen = 0;
  runner.lose([&](const Order& order, bool) { return order == lost && ++seen > 1; });
  const DetectFacts facts = search_model(runner, Algorithm::exhaustive, 2);
  EXPECT_EQ(facts.dependences.size(), 1u);
  EXPECT_EQ(facts.search.complete_k, 1);
  EXPECT_EQ(facts.search.pairs_covered, facts.search.pairs_total - 1);
}

/// Q passes always, and now and then leaves something behind.
TEST(Wavering, BecauseOfAnotherTestTakesNothingBack) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    SCOPED_TRACE(seed);
    ModelRunner runner({ModelTest("T").expects(0, 0).expects(1, 0), ModelTest("P").sets(0, 1),
                        ModelTest("A"), ModelTest("Q").sets_in_percent(1, 1, 50)},
                       seed);
    const DetectFacts facts = search_model(runner, Algorithm::exhaustive, 2);
    EXPECT_TRUE(facts.nondeterministic.empty());
    ASSERT_EQ(facts.dependences.size(), 1u);
    EXPECT_EQ(facts.dependences[0].by, runner.order({"P"}));
  }
}

/// Q itself is seen to waver first: T is searched on, and what P does to it is found.
TEST(Wavering, BecauseOfATestThatWaversDoesNotEndTheSearch) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    SCOPED_TRACE(seed);
    // By default T would waver behind Q if nothing between cleaned up.
    ModelRunner clean(
        {ModelTest("Q").fails_in_percent(50).sets_in_percent(1, 1, 50), ModelTest("A").sets(1, 0),
         ModelTest("T").expects(0, 0).expects(1, 0), ModelTest("P").sets(0, 1)},
        seed);
    const DetectFacts facts = search_model(clean, Algorithm::exhaustive, 2);
    if (!wavers(facts, clean.id("Q"))) continue;
    EXPECT_FALSE(wavers(facts, clean.id("T")));
    ASSERT_EQ(facts.dependences.size(), 1u);
    EXPECT_EQ(facts.dependences[0].test, clean.id("T"));
    EXPECT_EQ(facts.dependences[0].by, clean.order({"P"}));
  }
}

/// Also R always does what Q does now and then.
TEST(Wavering, BecauseOfAnotherTestHidesNoDependenceWithTheSameResult) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    SCOPED_TRACE(seed);
    ModelRunner runner({ModelTest("T").expects(0, 0).expects(1, 0), ModelTest("P").sets(0, 1),
                        ModelTest("Q").sets_in_percent(1, 1, 50), ModelTest("R").sets(1, 1)},
                       seed);
    const DetectFacts facts = search_model(runner, Algorithm::exhaustive, 2);
    ASSERT_EQ(facts.dependences.size(), 2u);
    EXPECT_EQ(facts.dependences[1].by, runner.order({"R"}));
    EXPECT_EQ(facts.dependences[1].singles, runner.order({"R"}));
  }
}

/// B is seen to waver while its lists are completed: those of V, behind it, are completed as well.
TEST(Wavering, WhileListsAreCompletedLeavesOutNoOther) {
  int late = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    ModelRunner runner(
        {ModelTest("S").sets(0, 1), ModelTest("B").expects(0, 1).expects(1, 0).fails_in_percent(4),
         ModelTest("V").expects(2, 0), ModelTest("P").sets(1, 1), ModelTest("Q").sets(2, 1),
         ModelTest("C").sets(2, 0)},
        seed);
    const DetectFacts facts = search_model(runner, Algorithm::exhaustive, 2);
    for (const Dependence& one : facts.dependences) {
      if (one.test != runner.id("V")) continue;
      EXPECT_TRUE(one.singles_complete && one.cleaners_complete) << seed;
      EXPECT_EQ(one.cleaners, runner.order({"C"})) << seed;
    }
    late += wavers(facts, runner.id("B"));
  }
  EXPECT_GT(late, 10);
}

/// A test with more results than are judged: that it passes is, and what is not is said.
TEST(Complete, NotBeyondTheResultsThatAreJudged) {
  std::vector<ModelTest> suite;
  ModelTest victim("V");
  for (int i = 1; i <= 14; ++i) {
    victim.expects_if(0, i, 3, 9);
    suite.push_back(ModelTest("P" + std::to_string(i)).sets(0, i));
  }
  suite.insert(suite.begin(), victim);
  ModelRunner runner(suite);
  const DetectFacts facts = search_model(runner, Algorithm::exhaustive, 2);
  EXPECT_EQ(facts.dependences.size(), 12u);
  EXPECT_EQ(facts.search.complete_k, 1);
  EXPECT_EQ(facts.search.unseen.size(), 2u);
}

/// It fails alone and in thirteen other ways; behind the last test it passes.
TEST(Complete, APassIsJudgedWhateverElseIsKnown) {
  ModelTest test("B");
  std::vector<ModelTest> suite;
  for (int i = 1; i <= 14; ++i) {
    test.expects_if(0, i, 3, 9);
    suite.push_back(ModelTest("P" + std::to_string(i)).sets(0, i));
  }
  suite.push_back(ModelTest("Helps").sets(0, 20));
  suite.insert(suite.begin(), test.expects(0, 20));
  ModelRunner runner(suite);
  const DetectFacts facts = search_model(runner, Algorithm::exhaustive, 2);
  ASSERT_FALSE(facts.dependences.empty());
  EXPECT_EQ(std::count_if(facts.dependences.begin(), facts.dependences.end(),
                          [](const Dependence& one) { return one.role == Role::brittle; }),
            1);
}

}  // namespace
}  // namespace gordian::detect_test
