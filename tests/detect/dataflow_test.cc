// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Searches that know what tests read and write: the examples of the literature as models.
#include <gtest/gtest.h>

#include "tests/detect/model_search.h"

namespace gordian::detect_test {
namespace {

FlowVerdict verdict(const FlowFacts& facts, TestId reader, TestId writer) {
  for (std::size_t i = 0; i < facts.tested.size(); ++i) {
    const DataDependence& edge = facts.flow.dependences[i];
    if (edge.reader == reader && edge.writer == writer) return facts.tested[i].verdict;
  }
  ADD_FAILURE() << "no such data dependence";
  return FlowVerdict::untested;
}

std::vector<TestId> dependents(const DetectFacts& facts) {
  std::vector<TestId> tests;
  for (const Dependence& found : facts.dependences) tests.push_back(found.test);
  std::sort(tests.begin(), tests.end());
  tests.erase(std::unique(tests.begin(), tests.end()), tests.end());
  return tests;
}

/// One test makes an object (cell 0) with a path (cell 1), the others use it; one checks the path
/// before it sets another.
ModelRunner data_source() {
  return ModelRunner({ModelTest("SetField").sets(0, 1).sets(1, 1),
                      ModelTest("SetCloneString").expects(0, 1).expects(1, 1).sets(1, 2),
                      ModelTest("ToString").expects(0, 1).sets(1, 3)});
}

TEST(Dataflow, FindsTheTestsThatUseAnObjectOfAnother) {
  ModelRunner runner = data_source();
  const DetectFacts facts = search_flow(runner, Algorithm::dataflow);
  check_true(runner, facts);
  EXPECT_EQ(dependents(facts), runner.order({"SetCloneString", "ToString"}));
  for (const Dependence& found : facts.dependences) {
    EXPECT_EQ(found.found_by, "dataflow");
    if (found.role == Role::victim) {
      EXPECT_EQ(found.witness, runner.order({"SetField", "ToString", "SetCloneString"}));
      EXPECT_EQ(found.passes_after, runner.order({"SetField"}));
      continue;
    }
    EXPECT_EQ(found.role, Role::brittle);
    EXPECT_EQ(found.by, runner.order({"SetField"}));
  }
  EXPECT_EQ(facts.dependences.size(), 3U);
  ASSERT_EQ(facts.flows.size(), 1U);
  EXPECT_EQ(facts.flows[0].flow.dependences.size(), 2U);
  EXPECT_EQ(facts.flows[0].count(FlowVerdict::manifest), 2U);
  EXPECT_EQ(facts.flows[0].components, 1U);
}

/// Cell 0: is it initialised; cell 1: an object that the second test makes.
ModelRunner joint_dependences() {
  return ModelRunner({ModelTest("t1").sets_if(0, 0, 0, 1),
                      ModelTest("t2").sets_if(0, 0, 0, 1).sets(1, 1),
                      ModelTest("t3").expects(0, 1).expects(1, 1)});
}

TEST(Dataflow, OfJointDependencesOnlyTheOneThatCountsIsManifest) {
  ModelRunner runner = joint_dependences();
  const DetectFacts facts = search_flow(runner, Algorithm::dataflow);
  check_true(runner, facts);
  const TestId t1 = runner.id("t1"), t2 = runner.id("t2"), t3 = runner.id("t3");
  ASSERT_EQ(facts.flows.size(), 1U);
  EXPECT_EQ(verdict(facts.flows[0], t3, t2), FlowVerdict::manifest);
  EXPECT_EQ(verdict(facts.flows[0], t2, t1), FlowVerdict::not_manifest);
  EXPECT_EQ(verdict(facts.flows[0], t3, t1), FlowVerdict::not_manifest);
  EXPECT_EQ(dependents(facts), std::vector{t3});
}

/// The same, but the second test relies on the first.
TEST(Dataflow, ADependenceThatOthersDemandIsUntestable) {
  ModelRunner runner({ModelTest("t1").sets(0, 1), ModelTest("t2").expects(0, 1).sets(1, 1),
                      ModelTest("t3").expects(0, 1).expects(1, 1)});
  const DetectFacts facts = search_flow(runner, Algorithm::dataflow);
  check_true(runner, facts);
  ASSERT_EQ(facts.flows.size(), 1U);
  const FlowFacts& flow = facts.flows[0];
  EXPECT_EQ(verdict(flow, runner.id("t3"), runner.id("t1")), FlowVerdict::untestable);
  EXPECT_EQ(flow.count(FlowVerdict::manifest), 2U);
  EXPECT_EQ(flow.most_tests(), 9U);
  EXPECT_LE(flow.tests_run, flow.most_tests());
}

TEST(Dataflow, WhatNobodyChecksIsNotManifest) {
  ModelRunner runner({ModelTest("Counts").adds(0, 1), ModelTest("CountsToo").adds(0, 1),
                      ModelTest("Looks").expects_below(0, 9)});
  const DetectFacts facts = search_flow(runner, Algorithm::dataflow);
  EXPECT_TRUE(facts.dependences.empty());
  ASSERT_EQ(facts.flows.size(), 1U);
  EXPECT_EQ(facts.flows[0].count(FlowVerdict::not_manifest), 2U);
}

TEST(Dataflow, ALongChainIsTestedToItsEnd) {
  std::vector<ModelTest> tests;
  for (int i = 0; i < 200; ++i) tests.push_back(ModelTest("T" + std::to_string(i)).adds(0, 1));
  tests.push_back(ModelTest("Last").expects_below(0, 200));
  tests.push_back(ModelTest("Full").expects(0, 200));
  ModelRunner runner(std::move(tests));
  const DetectFacts facts = search_flow(runner, Algorithm::dataflow);
  ASSERT_EQ(facts.flows.size(), 1U);
  EXPECT_EQ(facts.flows[0].flow.dependences.size(), 201U);
  EXPECT_EQ(facts.flows[0].count(FlowVerdict::untested), 0U);
  EXPECT_EQ(dependents(facts), runner.order({"Last", "Full"}));
}

TEST(Dataflow, APolluterBehindItsVictimIsAnotherWriter) {
  ModelRunner runner({ModelTest("V").expects(0, 0), ModelTest("P").sets(0, 1)});
  const DetectFacts facts = search_flow(runner, Algorithm::dataflow);
  check_true(runner, facts);
  EXPECT_EQ(dependents(facts), std::vector{runner.id("V")});
}

/// V reads what C wrote last; no order that breaks only that shows what P does.
TEST(Dataflow, ACleanerBetweenPolluterAndVictimHidesNothing) {
  ModelRunner runner(
      {ModelTest("P").sets(0, 1), ModelTest("C").sets(0, 0), ModelTest("V").expects(0, 0)});
  const DetectFacts facts = search_flow(runner, Algorithm::dataflow);
  check_true(runner, facts);
  EXPECT_EQ(dependents(facts), std::vector{runner.id("V")});
}

TEST(Dataflow, APolluterBehindItsVictimShowsBackwards) {
  ModelRunner runner({ModelTest("V").expects(0, 0), ModelTest("P").sets(0, 1)});
  const DetectFacts facts = search_model(runner, Algorithm::dataflow, 2, [&](DetectRequest& r) {
    r.both_ways = true;
    r.collector = collector_of(runner);
  });
  check_true(runner, facts);
  ASSERT_EQ(facts.flows.size(), 2U);
  EXPECT_TRUE(facts.flows[1].backwards);
  EXPECT_EQ(verdict(facts.flows[1], runner.id("V"), runner.id("P")), FlowVerdict::manifest);
  EXPECT_EQ(dependents(facts), std::vector{runner.id("V")});
}

/// Backwards, P crashes what comes next, so that R and W have no result there to compare with.
TEST(Dataflow, WhatHasNoResultInTheReferenceOrderIsNotManifest) {
  ModelRunner runner({ModelTest("R").expects(0, 0), ModelTest("W").sets(0, 1),
                      ModelTest("C").crashes_if(1, 1), ModelTest("P").sets(1, 1)});
  const DetectFacts facts = search_model(runner, Algorithm::dataflow, 2, [&](DetectRequest& r) {
    r.both_ways = true;
    r.collector = collector_of(runner);
  });
  check_true(runner, facts);
  ASSERT_EQ(facts.flows.size(), 2U);
  EXPECT_EQ(verdict(facts.flows[1], runner.id("R"), runner.id("W")), FlowVerdict::untestable);
  EXPECT_EQ(verdict(facts.flows[1], runner.id("C"), runner.id("P")), FlowVerdict::manifest);
}

TEST(Dataflow, ATestThatWaversTellsNothing) {
  ModelRunner runner(
      {ModelTest("W").sets(0, 1), ModelTest("R").expects(0, 1).fails_in_percent(50)});
  const DetectFacts facts = search_flow(runner, Algorithm::dataflow);
  EXPECT_TRUE(facts.dependences.empty());
  ASSERT_EQ(facts.flows.size(), 1U);
  EXPECT_EQ(verdict(facts.flows[0], runner.id("R"), runner.id("W")), FlowVerdict::untestable);
}

TEST(Dataflow, WithoutACollectorItIsAnError) {
  ModelRunner runner = data_source();
  DetectRequest request;
  request.algorithm = Algorithm::dataflow;
  DetectFacts facts;
  facts.suite = runner.suite();
  SearchListener silent;
  Search search(request, runner, facts, silent);
  ASSERT_TRUE(search.begin(runner.suite().default_order()));
  EXPECT_FALSE(search.run_algorithm().ok());
}

TEST(Dataflow, WhatIsIgnoredIsNotTestedButStillReportedWhenItIsSeen) {
  ModelRunner runner = data_source();
  auto ignoring = [&](Algorithm algorithm) {
    return search_model(runner, algorithm, 2, [&](DetectRequest& request) {
      request.ignore.variables = {"cell*"};
      request.collector = collector_of(runner);
    });
  };
  const DetectFacts facts = ignoring(Algorithm::dataflow);
  EXPECT_TRUE(facts.dependences.empty());
  ASSERT_EQ(facts.flows.size(), 1U);
  EXPECT_EQ(facts.flows[0].ignored_dependences, 2U);
  EXPECT_EQ(dependents(ignoring(Algorithm::aware)).size(), 2U);
}

TEST(Aware, LeavesOutWhatCannotDifferAndSaysHowMuch) {
  ModelRunner runner({ModelTest("P").sets(0, 1), ModelTest("V").expects(0, 0), ModelTest("A"),
                      ModelTest("B").expects(1, 0), ModelTest("C").sets(2, 1)});
  const DetectFacts facts = search_flow(runner, Algorithm::aware);
  ASSERT_TRUE(facts.search.pruning);
  EXPECT_TRUE(facts.search.pruning->sound);
  EXPECT_EQ(facts.search.pruning->needed, 6U);  // each alone, and P before V
  EXPECT_GT(facts.search.pruning->needless, 10U);
  EXPECT_EQ(facts.search.complete_k, 2);
}

/// Alone, the last test looks at cell 0 only. Behind the second it also looks at cell 1: what the
/// first one wrote there counts then, though it affects nobody that runs alone.
TEST(Aware, AFirstTestThatAffectsNobodyIsNotLeftAway) {
  ModelRunner runner({ModelTest("C").expects_if(0, 1, 1, 0), ModelTest("B").sets(0, 1),
                      ModelTest("A").sets(1, 1)});
  const Order tests = runner.suite().default_order();
  const Needless needless(ModelCollector(runner).alone(tests).value(), tests.size());
  EXPECT_TRUE(needless.needless(runner.order({"A", "C"})));
  EXPECT_FALSE(needless.needless(runner.order({"B", "C"})));
  EXPECT_FALSE(needless.needless(runner.order({"A", "B", "C"})));
  const DetectFacts facts = search_flow(runner, Algorithm::aware, 3);
  check_true(runner, facts);
  EXPECT_EQ(dependents(facts), std::vector{runner.id("C")});
}

/// A test that leaves nothing changed when it runs alone may put back what another one changed.
TEST(Aware, ATestInTheMiddleThatLeavesNothingChangedIsNotLeftAway) {
  ModelRunner runner({ModelTest("C").expects_if(0, 1, 1, 1), ModelTest("A").sets(0, 1).sets(1, 1),
                      ModelTest("B").sets(1, 0)});
  const DetectFacts facts = search_flow(runner, Algorithm::aware, 3);
  check_true(runner, facts);
  EXPECT_EQ(dependents(facts), std::vector{runner.id("C")});
}

TEST(Aware, WhatIsOnlySeenIsNoProof) {
  ModelRunner runner({ModelTest("A"), ModelTest("B"), ModelTest("C")});
  const DetectFacts facts = search_flow(runner, Algorithm::aware, 2, true);
  ASSERT_TRUE(facts.search.pruning);
  EXPECT_FALSE(facts.search.pruning->sound);
  EXPECT_EQ(facts.search.pruning->needless, 6U);
  EXPECT_EQ(facts.search.complete_k, 1);
}

TEST(Aware, SaysWhyNothingIsLeftOut) {
  ModelRunner runner({ModelTest("A"), ModelTest("B")});
  const DetectFacts facts = search_model(runner, Algorithm::aware);
  ASSERT_TRUE(facts.search.pruning);
  EXPECT_FALSE(facts.search.pruning->no_reason.empty());
  EXPECT_EQ(facts.search.complete_k, 2);
  EXPECT_EQ(facts.search.pairs_covered, 2U);
}

}  // namespace
}  // namespace gordian::detect_test
