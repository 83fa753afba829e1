// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// From a suspicion to a verdict, each story on a model of two to five tests.
#include "detect/judge.h"

#include <gtest/gtest.h>

#include "detect/lab.h"
#include "tests/detect/model_search.h"
#include "tests/detect/model_suite.h"

namespace gordian::detect_test {
namespace {

using Kind = OutcomeKind;

/// A search that knows the expected results, and a judge in it.
struct Court {
  explicit Court(std::vector<ModelTest> tests, int confirmations = 3, std::uint64_t noise_seed = 1)
      : runner(std::move(tests), noise_seed), judge(lab, knowledge, confirmations) {
    knowledge.set_tests(runner.suite().default_order());
    EXPECT_TRUE(establish_expected(lab, knowledge, confirmations, facts));
  }

  /// As the search would: the order is run once, and its last test did something unexpected.
  struct Examined : Judge::Verdict {
    std::optional<Dependence> dependence;  ///< the only one
  };
  Examined examine(const std::vector<std::string>& names) {
    Suspicion suspicion{runner.order(names), {}, "story"};
    suspicion.observed = lab.repeat(suspicion.order, 1)->front();
    return examine(suspicion);
  }
  Examined examine(const Suspicion& suspicion) {
    Examined result{judge.examine(suspicion).value(), {}};
    EXPECT_LE(result.dependences.size(), 1u);
    if (!result.dependences.empty()) result.dependence = result.dependences.front();
    return result;
  }
  std::vector<std::string> names(const Order& tests) const {
    std::vector<std::string> result;
    for (TestId test : tests) result.push_back(runner.suite().test(test).name);
    return result;
  }

  ModelRunner runner;
  Lab lab{runner, false, [] {}};
  Knowledge knowledge{runner.suite()};
  DetectFacts facts;
  Judge judge;
};

using Names = std::vector<std::string>;

TEST(Examine, AVictimOfALaterTest) {
  Court court({ModelTest("V").expects(0, 0), ModelTest("Other"), ModelTest("P").sets(0, 1)});
  auto found = court.examine({"Other", "P", "V"}).dependence;
  ASSERT_TRUE(found);
  EXPECT_EQ(found->role, Role::victim);
  EXPECT_EQ(court.names(found->by), Names{"P"});
  EXPECT_EQ(court.names(found->witness), (Names{"P", "V"}));
  EXPECT_EQ(found->alone.kind, Kind::pass);
  EXPECT_EQ(found->witnessed.kind, Kind::fail);
  EXPECT_EQ(found->confirmed, 3);
  EXPECT_EQ(found->found_by, "story");
}

TEST(Examine, AVictimInTheDefaultOrderIsSeenAlone) {
  Court court({ModelTest("P").sets(0, 1), ModelTest("Other"), ModelTest("V").expects(0, 0)});
  auto found = court.examine({"V"}).dependence;
  ASSERT_TRUE(found);
  EXPECT_EQ(found->role, Role::victim);
  EXPECT_EQ(court.names(found->by), Names{"P"});
  EXPECT_EQ(found->expected.kind, Kind::fail);
}

TEST(Examine, ABrittleTestAndItsStateSetter) {
  Court court({ModelTest("Setter").sets(1, 1), ModelTest("B").expects(1, 1)});
  auto found = court.examine({"B"}).dependence;
  ASSERT_TRUE(found);
  EXPECT_EQ(found->role, Role::brittle);
  EXPECT_EQ(court.names(found->by), Names{"Setter"});
}

TEST(Examine, TwoPollutersNeededTogether) {
  Court court({ModelTest("V").expects_below(0, 2), ModelTest("P").adds(0, 1), ModelTest("Other"),
               ModelTest("Q").adds(0, 1)});
  auto found = court.examine({"Q", "Other", "P", "V"}).dependence;
  ASSERT_TRUE(found);
  EXPECT_EQ(court.names(found->by), (Names{"Q", "P"}));
  EXPECT_TRUE(found->singles.empty());
}

TEST(Examine, SelfDependent) {
  Court court({ModelTest("Once").expects(0, 0).sets(0, 1)});
  auto found = court.examine({"Once", "Once"}).dependence;
  ASSERT_TRUE(found);
  EXPECT_EQ(found->role, Role::self_dependent);
}

TEST(Examine, ACrashAfterAPolluterIsAResult) {
  Court court({ModelTest("V").crashes_if(0, 1), ModelTest("P").sets(0, 1)});
  auto found = court.examine({"P", "V"}).dependence;
  ASSERT_TRUE(found);
  EXPECT_EQ(found->witnessed.kind, Kind::crash);
}

TEST(Examine, NoiseIsNeverADependence) {
  for (int rate : {5, 30, 50, 70, 95}) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      Court court({ModelTest("P").sets(0, 1), ModelTest("N").fails_in_percent(rate)}, 3, seed);
      const Outcome expected = *court.knowledge.expected(TestId{1});
      const Outcome other =
          expected.kind == Kind::pass ? outcome(Kind::fail, 1) : outcome(Kind::pass);
      auto verdict = court.examine({order({0, 1}), other, "story"});
      EXPECT_FALSE(verdict.dependence) << rate << " " << seed;
      ASSERT_TRUE(verdict.nondeterministic) << rate << " " << seed;
      EXPECT_GT(verdict.nondeterministic->differ, 0);
    }
  }
}

/// "Never again in twenty runs" is still two results of one order.
TEST(Examine, SeenOnceAndNeverAgain) {
  Court court({ModelTest("P"), ModelTest("T")});
  auto verdict = court.examine({order({0, 1}), outcome(Kind::fail, 1), "story"});
  ASSERT_TRUE(verdict.nondeterministic);
  EXPECT_EQ(verdict.nondeterministic->differ, 1);
  EXPECT_EQ(verdict.nondeterministic->runs, 21);
  EXPECT_EQ(verdict.nondeterministic->order, order({0, 1}));
}

TEST(Examine, MoreConfirmationsThanRunsForARate) {
  Court court({ModelTest("P"), ModelTest("T")}, 50);
  auto verdict = court.examine({order({0, 1}), outcome(Kind::fail, 1), "story"});
  ASSERT_TRUE(verdict.nondeterministic);
  EXPECT_EQ(verdict.nondeterministic->runs, 51);
}

/// Flaky ends the process now and then; what V did in those runs is unknown, not different.
TEST(Examine, ACrashInTheMiddleSaysNothingOfTheTestsBehindIt) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Court court({ModelTest("V"), ModelTest("Flaky").crashes_in_percent(50)}, 3, seed);
    Suspicion never_again{order({1, 0}), outcome(Kind::fail, 1), "story"};
    auto wavers = court.examine(never_again);
    ASSERT_TRUE(wavers.nondeterministic);
    EXPECT_GT(wavers.nondeterministic->differ, 0);

    Court guilty({ModelTest("V").expects(0, 0), ModelTest("Flaky").crashes_in_percent(50),
                  ModelTest("P").sets(0, 1)},
                 3, seed);
    auto verdict = guilty.examine({order({2, 1, 0}), outcome(Kind::fail, 1), "story"});
    EXPECT_FALSE(verdict.nondeterministic) << seed;
    if (verdict.dependence) {
      EXPECT_EQ(guilty.names(verdict.dependence->by), Names{"P"}) << seed;
    }
  }
}

/// Forks of one process agree on addresses, so the three orders are stable there.
TEST(Examine, WhatHangsOnTheLayoutOfMemoryIsNoDependence) {
  int suspected = 0, reported = 0;
  for (int rate : {5, 20, 50, 80}) {
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
      Court court({ModelTest("P").sets(0, 1), ModelTest("A").fails_in_layouts(0, rate)}, 3, seed);
      if (court.knowledge.standing(TestId{1}) != Knowledge::Standing::open) continue;
      const Outcome alone = court.lab.repeat(order({1}), 1)->front();
      if (same_result(alone, *court.knowledge.expected(TestId{1}))) continue;
      ++suspected;
      auto verdict = court.examine({order({1}), alone, "story"});
      EXPECT_FALSE(verdict.dependence) << rate << " " << seed;
      ASSERT_TRUE(verdict.nondeterministic) << rate << " " << seed;
      const NondeterministicTest& found = *verdict.nondeterministic;
      EXPECT_TRUE(found.in_fresh);
      EXPECT_GE(found.runs, 20);
      EXPECT_GE(found.alone_runs, 20);
      reported += found.differ > 0 || found.alone_differ > 0;
    }
  }
  EXPECT_GT(suspected, 50);
  EXPECT_EQ(reported, suspected);
}

TEST(Examine, WitnessAndTestAloneAreRunInFreshProcesses) {
  Court court({ModelTest("V").expects(0, 0), ModelTest("P").sets(0, 1)});
  const std::size_t before = court.runner.fresh();
  auto found = court.examine({"P", "V"}).dependence;
  ASSERT_TRUE(found);
  EXPECT_GE(found->fresh, 3);
  EXPECT_GE(court.runner.fresh() - before, 2u * static_cast<std::size_t>(found->fresh));
}

/// An end of the search between the repeats in forks and those in fresh processes.
TEST(Examine, NothingIsClaimedWithoutFreshProcesses) {
  Court court({ModelTest("V").expects(0, 0), ModelTest("P").sets(0, 1)});
  const Suspicion suspicion{order({1, 0}), outcome(Kind::fail, 1), "story"};
  const std::size_t until_fresh = [] {
    Court other({ModelTest("V").expects(0, 0), ModelTest("P").sets(0, 1)});
    const std::size_t before = other.runner.fresh();
    EXPECT_TRUE(other.examine({order({1, 0}), outcome(Kind::fail, 1), "story"}).dependence);
    return other.runner.log().size() - (other.runner.fresh() - before);
  }();
  court.runner.stop_after(until_fresh);
  auto verdict = court.examine(suspicion);
  EXPECT_FALSE(verdict.dependence);
  EXPECT_FALSE(verdict.nondeterministic);
  EXPECT_EQ(verdict.open.size(), 1u);
}

/// PRADET's Figure 5: whichever of its failures is seen first, it needs T2.
TEST(Examine, ABrittleTestIsNoVictimOfWhatMakesItFailDifferently) {
  for (const std::vector<std::string>& seen :
       {std::vector<std::string>{"T1", "T3"}, {"T3"}, {"T1", "T1", "T3"}}) {
    Court court({ModelTest("T1").sets(0, 1), ModelTest("T2").sets(0, 1).sets(1, 1),
                 ModelTest("T3").expects(0, 1).expects(1, 1)});
    auto found = court.examine(seen).dependence;
    ASSERT_TRUE(found);
    EXPECT_EQ(found->role, Role::brittle);
    EXPECT_EQ(court.names(found->by), Names{"T2"});
  }
}

TEST(Examine, ABrittleTestThatSetsItsOwnStateIsToldOnce) {
  ModelRunner runner({ModelTest("S").sets(0, 1), ModelTest("B").expects(0, 1).sets(0, 1)});
  for (Algorithm algorithm : {Algorithm::automatic, Algorithm::self}) {
    const DetectFacts facts = search_model(runner, algorithm);
    ASSERT_EQ(facts.dependences.size(), 1U);
    EXPECT_EQ(facts.dependences[0].role, Role::brittle);
    EXPECT_EQ(facts.dependences[0].by, Order{TestId(0)});
  }
}

TEST(Examine, EachResultIsADependenceOfItsOwn) {
  Court court({ModelTest("P").sets(0, 1), ModelTest("V").expects(0, 0).expects(1, 0),
               ModelTest("Q").sets(1, 1)});
  auto verdict = court.judge.examine({court.runner.order({"Q", "V"}), outcome(Kind::fail, 2), ""});
  ASSERT_TRUE(verdict);
  ASSERT_EQ(verdict->dependences.size(), 2u);
  EXPECT_EQ(court.names(verdict->dependences[0].by), Names{"Q"});
  EXPECT_EQ(court.names(verdict->dependences[1].by), Names{"P"});
}

/// PRADET's Figure 2: it needs SetField, and ToString spoils that.
TEST(Spoilers, ABrittleTestIsAVictimOfWhatSpoilsItsState) {
  Court court({ModelTest("SetField").sets(0, 1),
               ModelTest("SetCloneString").expects(0, 1).expects(1, 0),
               ModelTest("ToString").sets_if(0, 1, 1, 1), ModelTest("Other")});
  auto brittle = court.examine({"SetCloneString"}).dependence;
  ASSERT_TRUE(brittle);
  ASSERT_EQ(brittle->role, Role::brittle);
  ASSERT_TRUE(court.judge.complete_singles(*brittle));
  auto more = court.judge.find_spoilers(*brittle);
  ASSERT_TRUE(more);
  ASSERT_EQ(more->dependences.size(), 1u);
  const Dependence& victim = more->dependences.front();
  EXPECT_EQ(victim.role, Role::victim);
  EXPECT_EQ(court.names(victim.by), (Names{"SetField", "ToString"}));
  EXPECT_EQ(court.names(victim.passes_after), Names{"SetField"});
  EXPECT_GE(victim.fresh, 3);
}

/// Of two tests with the same effect one is told: that there is no other is not.
TEST(Spoilers, OfSeveralTheListIsNotComplete) {
  for (bool twice : {false, true}) {
    std::vector<ModelTest> tests{ModelTest("Set").sets(0, 1),
                                 ModelTest("B").expects(0, 1).expects(1, 0),
                                 ModelTest("Spoil").sets(1, 1), ModelTest("Other")};
    if (twice) tests.push_back(ModelTest("Spoil2").sets(1, 1));
    Court court(tests);
    auto brittle = court.examine({"B"}).dependence;
    ASSERT_TRUE(brittle);
    ASSERT_TRUE(court.judge.complete_singles(*brittle));
    auto more = court.judge.find_spoilers(*brittle);
    ASSERT_TRUE(more);
    ASSERT_EQ(more->dependences.size(), 1u);
    Dependence victim = more->dependences.front();
    EXPECT_EQ(victim.singles_complete, !twice);
    ASSERT_TRUE(court.judge.complete_singles(victim));
    EXPECT_EQ(victim.singles_complete, !twice);
    EXPECT_TRUE(victim.singles.empty());
  }
}

TEST(Spoilers, WhatIsLostIsLeftOpen) {
  Court court({ModelTest("Set").sets(0, 1), ModelTest("B").expects(0, 1).expects(1, 0),
               ModelTest("Spoil").sets(1, 1)});
  auto brittle = court.examine({"B"}).dependence;
  ASSERT_TRUE(brittle);
  ASSERT_TRUE(court.judge.complete_singles(*brittle));
  court.runner.lose([](const Order& order, bool) { return order.size() == 3; });
  auto more = court.judge.find_spoilers(*brittle);
  ASSERT_TRUE(more);
  EXPECT_TRUE(more->dependences.empty());
  EXPECT_EQ(more->open.size(), 2u);
}

/// Before any of its runs counts, none of its polluters is taken away.
TEST(Crashes, StayTogetherUntilTheOtherOneIsConfirmed) {
  Court court({ModelTest("V").crashes_if(0, 1).crashes_if(1, 1), ModelTest("P").sets(0, 1),
               ModelTest("Q").sets(1, 1)});
  auto found = court.examine({"P", "V"}).dependence;
  ASSERT_TRUE(found);
  ASSERT_TRUE(court.judge.complete_singles(*found));
  court.runner.lose([](const Order& order, bool fresh) { return fresh && order.size() == 2; });
  auto more = court.judge.tell_crashes_apart(*found);
  ASSERT_TRUE(more);
  EXPECT_TRUE(more->dependences.empty());
  EXPECT_EQ(more->open.size(), 1u);
  EXPECT_EQ(court.names(found->singles), (Names{"P", "Q"}));
  EXPECT_TRUE(found->witnessed.message.empty());
}

/// As a use after free may do.
TEST(Crashes, ThatMoveAreOne) {
  Court court({ModelTest("V").crashes_if(0, 1).crashes_if(1, 1), ModelTest("P").sets(0, 1),
               ModelTest("Q").sets(1, 1)});
  court.runner.move_crashes();
  auto found = court.examine({"P", "V"}).dependence;
  ASSERT_TRUE(found);
  ASSERT_TRUE(court.judge.complete_singles(*found));
  auto more = court.judge.tell_crashes_apart(*found);
  ASSERT_TRUE(more);
  EXPECT_TRUE(more->dependences.empty());
  EXPECT_EQ(court.names(found->singles), (Names{"P", "Q"}));
}

TEST(Crashes, OfManyPollutersNotAllArePlaced) {
  std::vector<ModelTest> tests{ModelTest("V").crashes_if(0, 1).crashes_if(1, 1)};
  for (int i = 0; i < 16; ++i) tests.push_back(ModelTest("P" + std::to_string(i)).sets(0, 1));
  tests.push_back(ModelTest("Q").sets(1, 1));
  Court court(tests);
  auto found = court.examine({"P0", "V"}).dependence;
  ASSERT_TRUE(found);
  ASSERT_TRUE(court.judge.complete_singles(*found));
  EXPECT_TRUE(found->singles_complete);
  ASSERT_TRUE(court.judge.tell_crashes_apart(*found));
  EXPECT_FALSE(found->singles_complete) << "where Q makes it crash was not seen";
  ASSERT_TRUE(court.judge.complete_singles(*found));
  EXPECT_FALSE(found->singles_complete);
}

TEST(Crashes, AreToldApartByTheirPlace) {
  Court court({ModelTest("V").crashes_if(0, 1).crashes_if(1, 1), ModelTest("P").sets(0, 1),
               ModelTest("Q").sets(1, 1), ModelTest("R").sets(0, 1)});
  auto found = court.examine({"P", "V"}).dependence;
  ASSERT_TRUE(found);
  ASSERT_TRUE(court.judge.complete_singles(*found));
  ASSERT_EQ(court.names(found->singles), (Names{"P", "Q", "R"}));
  auto more = court.judge.tell_crashes_apart(*found);
  ASSERT_TRUE(more);
  EXPECT_EQ(court.names(found->singles), (Names{"P", "R"}));
  EXPECT_EQ(found->witnessed.line, 1);
  ASSERT_EQ(more->dependences.size(), 1u);
  EXPECT_EQ(court.names(more->dependences[0].singles), Names{"Q"});
  EXPECT_EQ(more->dependences[0].witnessed.line, 2);
}

TEST(Examine, NoVerdictWithoutRuns) {
  Court court({ModelTest("V").expects(0, 0), ModelTest("P").sets(0, 1)});
  court.runner.stop_after(court.runner.log().size());
  auto verdict = court.examine({order({1, 0}), outcome(Kind::fail, 1), "story"});
  EXPECT_FALSE(verdict.dependence);
  EXPECT_FALSE(verdict.nondeterministic);
  EXPECT_FALSE(court.knowledge.alone(TestId{0}));
}

std::vector<ModelTest> two_ways() {
  return {ModelTest("V").expects(0, 0), ModelTest("P").sets(0, 1), ModelTest("Clean").sets(0, 0),
          ModelTest("Other"), ModelTest("Q").sets(0, 2)};
}

TEST(Complete, EveryPolluterAndEveryCleaner) {
  Court court(two_ways());
  auto found = court.examine({"P", "V"}).dependence;
  ASSERT_TRUE(found);
  ASSERT_TRUE(court.judge.complete_singles(*found));
  ASSERT_TRUE(court.judge.complete_cleaners(*found));
  EXPECT_EQ(court.names(found->singles), (Names{"P", "Q"}));
  EXPECT_EQ(court.names(found->cleaners), Names{"Clean"});
  EXPECT_TRUE(found->singles_complete);
  EXPECT_TRUE(found->cleaners_complete);
}

/// A pair that was run before the test was ever alone is as good as any.
TEST(Complete, PairsNotedBeforeTheResultAloneWasKnown) {
  Court court(two_ways());
  court.knowledge.note_pair(court.runner.id("P"), court.runner.id("V"), outcome(Kind::fail, 1));
  court.knowledge.note_pair(court.runner.id("Other"), court.runner.id("V"), outcome(Kind::pass));
  auto found = court.examine({"P", "V"}).dependence;
  ASSERT_TRUE(found);
  ASSERT_TRUE(court.judge.complete_singles(*found));
  EXPECT_EQ(court.names(found->singles), (Names{"P", "Q"}));
}

TEST(Complete, ListsAreNotCalledCompleteWhenNothingRan) {
  Court court(two_ways());
  auto found = court.examine({"P", "V"}).dependence;
  ASSERT_TRUE(found);
  court.runner.stop_after(court.runner.log().size());
  ASSERT_TRUE(court.judge.complete_singles(*found));
  ASSERT_TRUE(court.judge.complete_cleaners(*found));
  EXPECT_EQ(court.names(found->singles), Names{"P"});
  EXPECT_FALSE(found->singles_complete);
  EXPECT_FALSE(found->cleaners_complete);
}

/// Trap ends the process behind P: it shows nothing, and that is all there is to know of it.
TEST(Complete, ATestThatCrashesInTheMiddleIsNoCleanerAndNoGap) {
  Court court({ModelTest("V").expects(0, 0), ModelTest("P").sets(0, 1),
               ModelTest("Trap").crashes_if(0, 1).sets(0, 0)});
  auto found = court.examine({"P", "V"}).dependence;
  ASSERT_TRUE(found);
  ASSERT_TRUE(court.judge.complete_cleaners(*found));
  EXPECT_TRUE(found->cleaners.empty());
  EXPECT_TRUE(found->cleaners_complete);
}

/// What ends the process when run first may live, and clean, behind the polluter.
TEST(Complete, ACleanerThatCrashesAlone) {
  Court court({ModelTest("V").expects(0, 0), ModelTest("P").sets(0, 1),
               ModelTest("Clean").crashes_if(0, 0).sets(0, 0)});
  court.knowledge.set_alone(court.runner.id("Clean"), outcome(Kind::crash));
  auto found = court.examine({"P", "V"}).dependence;
  ASSERT_TRUE(found);
  ASSERT_TRUE(court.judge.complete_cleaners(*found));
  EXPECT_EQ(court.names(found->cleaners), Names{"Clean"});
}

TEST(Complete, ASingleMakesALongerWitnessShort) {
  Court court({ModelTest("V").expects_below(0, 2), ModelTest("P").adds(0, 1),
               ModelTest("Q").adds(0, 1), ModelTest("Both").adds(0, 2)});
  auto found = court.examine({"P", "Q", "V"}).dependence;
  ASSERT_TRUE(found);
  EXPECT_EQ(found->by.size(), 2u);
  ASSERT_TRUE(court.judge.complete_singles(*found));
  EXPECT_EQ(court.names(found->witness), (Names{"Both", "V"}));
}

TEST(Complete, OnlyVictimsHaveCleaners) {
  Court court({ModelTest("Setter").sets(1, 1), ModelTest("B").expects(1, 1),
               ModelTest("Unset").sets(1, 0)});
  auto found = court.examine({"B"}).dependence;
  ASSERT_TRUE(found);
  ASSERT_TRUE(court.judge.complete_cleaners(*found));
  EXPECT_TRUE(found->cleaners.empty());
  EXPECT_FALSE(found->cleaners_complete);
}

TEST(Shorten, OnlyByAnOrderThatStandsTheTest) {
  Court court({ModelTest("V").expects_below(0, 2), ModelTest("P").adds(0, 1),
               ModelTest("Q").adds(0, 1), ModelTest("Both").adds(0, 2)});
  auto found = court.examine({"P", "Q", "V"}).dependence;
  ASSERT_TRUE(found);
  ASSERT_TRUE(court.judge.shorten(*found, court.runner.order({"P", "V"})));  // does not fail
  EXPECT_EQ(court.names(found->by), (Names{"P", "Q"}));
  ASSERT_TRUE(court.judge.shorten(*found, court.runner.order({"Both", "V"})));
  EXPECT_EQ(court.names(found->by), Names{"Both"});
  EXPECT_EQ(court.names(found->witness), (Names{"Both", "V"}));
}

}  // namespace
}  // namespace gordian::detect_test
