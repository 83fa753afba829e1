// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "model/declared.h"

#include <gtest/gtest.h>

#include "tests/detect/model_search.h"

namespace gordian::detect_test {
namespace {

ModelRunner maker_spoiler_user() {
  ModelRunner runner({ModelTest("Make").sets(0, 1), ModelTest("Spoil").sets_if(0, 1, 0, 2),
                      ModelTest("Use").expects(0, 1), ModelTest("Free")});
  runner.declare("Use", {"Make"});
  return runner;
}

TEST(DeclaredSearch, WhatIsDeclaredIsNoFinding) {
  for (Algorithm algorithm : {Algorithm::automatic, Algorithm::isolation, Algorithm::reversal,
                              Algorithm::exhaustive, Algorithm::pairs, Algorithm::screen}) {
    ModelRunner runner(
        {ModelTest("Make").sets(0, 1), ModelTest("Use").expects(0, 1), ModelTest("Free")});
    runner.declare("Use", {"Make"});
    const DetectFacts facts = search_model(runner, algorithm);
    EXPECT_TRUE(facts.dependences.empty()) << to_string(algorithm);
    ASSERT_EQ(facts.declared.size(), 1u);
    EXPECT_TRUE(facts.declared[0].needed);
    EXPECT_EQ(facts.declared[0].on, runner.order({"Make"}));
    EXPECT_EQ(facts.declared[0].without.kind, OutcomeKind::fail);
  }
}

TEST(DeclaredSearch, ItHidesNoOtherDependence) {
  ModelRunner runner = maker_spoiler_user();
  // In the default order the result is the bad one: Spoil stands between.
  const DetectFacts facts = search_model(runner, Algorithm::automatic);
  ASSERT_EQ(facts.dependences.size(), 1u);
  EXPECT_EQ(facts.dependences[0].test, runner.id("Use"));
  EXPECT_EQ(facts.dependences[0].witness, runner.order({"Make", "Spoil", "Use"}));
  EXPECT_EQ(facts.dependences[0].role, Role::victim);
}

/// Alone it fails before it reads what another test spoils.
TEST(DeclaredSearch, WhatATestReadsWithoutWhatItDeclaresProvesNothing) {
  for (Algorithm algorithm : {Algorithm::exhaustive, Algorithm::aware}) {
    ModelRunner runner({ModelTest("Make").sets(0, 1), ModelTest("Use").expects(0, 1).expects(1, 0),
                        ModelTest("Spoil").sets(1, 5)});
    runner.declare("Use", {"Make"});
    const DetectFacts facts = search_flow(runner, algorithm);
    ASSERT_EQ(facts.dependences.size(), 1u) << to_string(algorithm);
    EXPECT_EQ(facts.dependences[0].test, runner.id("Use"));
  }
}

/// As Boost.Test does: Use is skipped when Make has failed.
TEST(DeclaredSearch, ASkipBecauseOfWhatIsDeclaredIsNoFinding) {
  ModelRunner runner({ModelTest("Make").expects(0, 0).sets_if(0, 1, 1, 1),
                      ModelTest("Use").skips_if(1, 1), ModelTest("Spoil").sets(0, 1)});
  runner.declare("Use", {"Make"});
  const DetectFacts facts = search_model(runner, Algorithm::exhaustive);
  ASSERT_EQ(facts.dependences.size(), 1u);
  EXPECT_EQ(facts.dependences[0].test, runner.id("Make"));
  // What Use does behind Spoil was not seen.
  EXPECT_EQ(facts.search.complete_k, 1);
  ASSERT_EQ(facts.search.unseen.size(), 1u);
  EXPECT_EQ(facts.search.unseen[0].order, runner.order({"Spoil", "Use"}));
  EXPECT_EQ(facts.search.unseen[0].why, "a test that it declares did not pass");
}

TEST(DeclaredSearch, PairsThatMustNotBeCountAsCovered) {
  ModelRunner runner({ModelTest("Make"), ModelTest("Use"), ModelTest("Free")});
  runner.declare("Use", {"Make"});
  const DetectFacts facts = search_model(runner, Algorithm::exhaustive);
  EXPECT_EQ(facts.search.pairs_covered, facts.search.pairs_total);
  ASSERT_EQ(facts.declared.size(), 1u);
  EXPECT_FALSE(facts.declared[0].needed);
}

TEST(DeclaredSearch, NoOrderBreaksTheRule) {
  ModelRunner runner = maker_spoiler_user();
  const DetectFacts facts = search_model(runner, Algorithm::exhaustive, 3);
  const Declared declared(runner.suite());
  std::size_t bare = 0;
  for (const Order& run : runner.log()) {
    EXPECT_TRUE(declared.is_lawful(run));
    bare += declared.complete(run).order != run;
  }
  EXPECT_EQ(bare, 3u);  // what Use does without Make, as often as everything is confirmed
}

/// A process that crashes ends nobody's order.
TEST(DeclaredSearch, ProcessesGoOnBehindACrash) {
  std::vector<gordian::Test> tests(2);
  tests[0].name = "Crash", tests[1].name = "Next";
  const Suite suite(&kProcessRuntime, Framework::ctest, "", tests);
  Knowledge knowledge(suite);
  Outcome crash;
  crash.kind = OutcomeKind::crash;
  knowledge.set_expected(TestId{0}, crash);
  knowledge.set_alone(TestId{0}, crash);
  EXPECT_FALSE(knowledge.ends_process(TestId{0}));
  EXPECT_FALSE(knowledge.ends_default_order(TestId{0}));
  EXPECT_FALSE(ends_its_order(suite, crash));
  EXPECT_TRUE(ends_its_order(Suite(Framework::gtest, "", tests), crash));
}

}  // namespace
}  // namespace gordian::detect_test
