// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Whole searches of model suites: what each algorithm finds, and does not find.
#include "detect/search.h"

#include <gtest/gtest.h>

#include "tests/detect/model_search.h"

namespace gordian::detect_test {
namespace {

using Kind = OutcomeKind;
using Names = std::vector<std::string>;

const std::vector<Algorithm> kAll = {
    Algorithm::automatic, Algorithm::isolation,  Algorithm::reversal,
    Algorithm::random,    Algorithm::exhaustive, Algorithm::aware,
    Algorithm::pairs,     Algorithm::screen,     Algorithm::self};

Names found(const DetectFacts& facts) {
  Names result;
  for (const Dependence& d : facts.dependences) result.push_back(facts.suite.test(d.test).name);
  std::sort(result.begin(), result.end());
  return result;
}

TEST(Search, NothingInACleanSuite) {
  for (Algorithm algorithm : kAll) {
    ModelRunner runner({ModelTest("A").sets(0, 1), ModelTest("B").sets(1, 1).expects(1, 1),
                        ModelTest("C").expects(2, 0), ModelTest("Crash").crashes_if(3, 0),
                        ModelTest("D").expects(2, 1)});
    DetectFacts facts = search_model(runner, algorithm);
    EXPECT_TRUE(facts.dependences.empty()) << to_string(algorithm);
    EXPECT_TRUE(facts.nondeterministic.empty()) << to_string(algorithm);
    EXPECT_TRUE(facts.left_out.empty()) << to_string(algorithm);
    EXPECT_EQ(facts.end, RunEnd::finished);
    EXPECT_EQ(facts.search.orders, runner.log().size());
  }
}

/// "Later" is the victim of a later test, "Default" of an earlier one, "Brittle" needs an earlier
/// one, "Once" does not run twice, "Both" needs two.
std::vector<ModelTest> one_of_each() {
  return {ModelTest("Later").expects(0, 0),      ModelTest("Setter").sets(1, 1),
          ModelTest("Brittle").expects(1, 1),    ModelTest("P").sets(0, 1).adds(2, 1),
          ModelTest("Default").expects(0, 0),    ModelTest("Once").expects(3, 0).sets(3, 1),
          ModelTest("Both").expects_below(2, 2), ModelTest("Q").adds(2, 1)};
}

TEST(Search, EachAlgorithmFindsWhatItPromises) {
  const std::vector<std::tuple<Algorithm, int, Names>> table = {
      {Algorithm::isolation, 2, {"Brittle", "Default"}},
      {Algorithm::reversal, 2, {"Brittle", "Default", "Later"}},
      {Algorithm::self, 2, {"Brittle", "Default", "Once"}},
      {Algorithm::exhaustive, 1, {"Brittle", "Default"}},
      {Algorithm::exhaustive, 2, {"Brittle", "Default", "Later"}},
      {Algorithm::exhaustive, 3, {"Both", "Brittle", "Default", "Later"}},
      {Algorithm::aware, 2, {"Brittle", "Default", "Later"}},
      {Algorithm::aware, 3, {"Both", "Brittle", "Default", "Later"}},
      {Algorithm::random, 2, {"Both", "Brittle", "Default", "Later"}},
      {Algorithm::pairs, 2, {"Both", "Brittle", "Default", "Later"}},
      {Algorithm::screen, 2, {"Both", "Brittle", "Default", "Later"}},
      {Algorithm::automatic, 2, {"Both", "Brittle", "Default", "Later", "Once"}},
  };
  for (const auto& [algorithm, k, names] : table) {
    ModelRunner runner(one_of_each());
    DetectFacts facts = search_model(runner, algorithm, k);
    EXPECT_EQ(found(facts), names) << to_string(algorithm) << " " << k;
    EXPECT_TRUE(facts.nondeterministic.empty());
    check_true(runner, facts);
  }
}

TEST(Search, ListsAreTheSameWhateverOrderShowedTheDependence) {
  for (Algorithm algorithm : kAll) {
    ModelRunner runner({ModelTest("V").expects(0, 0), ModelTest("P").sets(0, 1)});
    DetectFacts facts = search_model(runner, algorithm);
    if (facts.dependences.empty()) continue;
    EXPECT_EQ(facts.dependences[0].singles, order({1})) << to_string(algorithm);
  }
}

TEST(Search, WhatIsBehindACrashIsUnknownNotFailing) {
  for (Algorithm algorithm : kAll) {
    ModelRunner runner({ModelTest("A"), ModelTest("P").sets(0, 1), ModelTest("B"),
                        ModelTest("Fragile").crashes_if(0, 1), ModelTest("C"), ModelTest("D")});
    DetectFacts facts = search_model(runner, algorithm, 3);
    for (const Names& names = found(facts); const std::string& name : names) {
      EXPECT_EQ(name, "Fragile") << to_string(algorithm);
    }
    check_true(runner, facts);
  }
}

/// Fragile crashes alone, so nothing is known of what follows it first; behind Setter it pollutes.
TEST(Search, APolluterThatCrashesAlone) {
  for (Algorithm algorithm : {Algorithm::exhaustive, Algorithm::aware, Algorithm::automatic}) {
    ModelRunner runner({ModelTest("V").expects(0, 0), ModelTest("Setter").sets(1, 1),
                        ModelTest("Fragile").crashes_if(1, 0).sets(0, 1)});
    DetectFacts facts = search_model(runner, algorithm, 3);
    EXPECT_EQ(found(facts), (Names{"Fragile", "V"})) << to_string(algorithm);
    check_true(runner, facts);
  }
}

TEST(Search, NoiseIsReportedApart) {
  for (Algorithm algorithm : kAll) {
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      ModelRunner runner({ModelTest("V").expects(0, 0), ModelTest("N").fails_in_percent(20),
                          ModelTest("P").sets(0, 1), ModelTest("F").crashes_in_percent(20)},
                         seed);
      DetectFacts facts = search_model(runner, algorithm, 2);
      for (const std::string& name : found(facts)) {
        EXPECT_EQ(name, "V") << to_string(algorithm) << " " << seed;
      }
      for (const NondeterministicTest& test : facts.nondeterministic) {
        EXPECT_TRUE(test.test == TestId{1} || test.test == TestId{3})
            << to_string(algorithm) << " " << seed;
        EXPECT_GT(test.differ, 0);
      }
    }
  }
}

TEST(Search, AnUnfaithfulForkMeansFreshProcesses) {
  ModelRunner runner(one_of_each());
  runner.add_fork_problem("threads");
  search_model(runner, Algorithm::exhaustive);
  EXPECT_EQ(runner.fresh(), runner.log().size());
}

TEST(Search, ExhaustiveStopsAtTheLengthOfTheSuite) {
  ModelRunner runner({ModelTest("A"), ModelTest("B")});
  DetectFacts facts = search_model(runner, Algorithm::exhaustive, 4);
  EXPECT_EQ(facts.search.orders, 5u + 2 + 2);  // the default order; each alone; both pairs
  EXPECT_EQ(facts.search.complete_k, 4);
}

TEST(Search, AnInterruptClaimsNothing) {
  const std::size_t all = [] {
    ModelRunner runner(one_of_each());
    search_model(runner, Algorithm::exhaustive);
    return runner.log().size();
  }();
  for (std::size_t orders = 0; orders < all; orders += 3) {
    ModelRunner runner(one_of_each());
    runner.stop_after(orders);
    DetectFacts facts = search_model(runner, Algorithm::exhaustive);
    check_true(runner, facts);
    EXPECT_TRUE(facts.nondeterministic.empty()) << orders;
  }
}

}  // namespace
}  // namespace gordian::detect_test
