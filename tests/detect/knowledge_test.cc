// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "detect/knowledge.h"

#include <gtest/gtest.h>

#include "tests/detect/samples.h"

namespace gordian::detect_test {
namespace {

using Kind = OutcomeKind;

class KnowledgeTest : public testing::Test {
 protected:
  Suite suite_ = numbered_suite(4);
  Knowledge knowledge_ = knowledge_of(suite_);
  const TestId first_{0}, second_{1}, third_{2};
};

TEST_F(KnowledgeTest, NothingIsKnownAtFirst) {
  EXPECT_EQ(knowledge_.tests(), suite_.default_order());
  for (TestId test : knowledge_.tests()) {
    EXPECT_EQ(knowledge_.standing(test), Knowledge::Standing::open);
    EXPECT_FALSE(knowledge_.expected(test).has_value());
    EXPECT_FALSE(knowledge_.alone(test).has_value());
    EXPECT_FALSE(knowledge_.ends_process(test));
  }
  EXPECT_EQ(knowledge_.pairs_total(), 12U);
  EXPECT_EQ(knowledge_.pairs_covered(), 0U);
}

TEST_F(KnowledgeTest, ACrashATimeoutAndAnExitEndTheProcess) {
  for (Kind kind : {Kind::crash, Kind::timeout, Kind::exit}) {
    EXPECT_TRUE(ends_its_process(outcome(kind)));
  }
  for (Kind kind : {Kind::pass, Kind::fail, Kind::skip, Kind::not_run, Kind::lost}) {
    EXPECT_FALSE(ends_its_process(outcome(kind)));
  }
}

TEST_F(KnowledgeTest, NotRunAndLostAreNotKnown) {
  EXPECT_FALSE(is_known(outcome(Kind::not_run)));
  EXPECT_FALSE(is_known(outcome(Kind::lost)));
  for (Kind kind : {Kind::pass, Kind::fail, Kind::skip, Kind::crash, Kind::timeout, Kind::exit}) {
    EXPECT_TRUE(is_known(outcome(kind)));
  }
}

TEST_F(KnowledgeTest, DefaultPredecessorsWithoutWhatEndsTheProcess) {
  knowledge_.set_expected(second_, outcome(Kind::crash));
  knowledge_.set_alone(second_, outcome(Kind::crash));
  EXPECT_EQ(knowledge_.default_predecessors(TestId{3}), order({0, 2}));
  EXPECT_EQ(knowledge_.default_predecessors(second_), order({0}));
  EXPECT_TRUE(knowledge_.default_predecessors(first_).empty());
}

TEST_F(KnowledgeTest, PredecessorsAreTestsOfTheSearch) {
  knowledge_.set_tests(order({1, 3}));
  EXPECT_EQ(knowledge_.default_predecessors(TestId{3}), order({1}));
  EXPECT_EQ(knowledge_.pairs_total(), 2U);
}

TEST_F(KnowledgeTest, PairsAreOrdered) {
  knowledge_.note_pair(first_, second_, outcome(Kind::pass));
  EXPECT_TRUE(knowledge_.pair_covered(first_, second_));
  EXPECT_FALSE(knowledge_.pair_covered(second_, first_));
  EXPECT_EQ(knowledge_.pairs_covered(), 1U);
}

TEST_F(KnowledgeTest, APairThatWasNotReachedIsNotCovered) {
  knowledge_.note_pair(first_, second_, outcome(Kind::not_run));
  knowledge_.note_pair(first_, third_, outcome(Kind::lost));
  EXPECT_EQ(knowledge_.pairs_covered(), 0U);
}

TEST_F(KnowledgeTest, ATestAfterItselfIsNoPairOfTwo) {
  knowledge_.note_pair(first_, first_, outcome(Kind::pass));
  EXPECT_EQ(knowledge_.pairs_covered(), 0U);
}

TEST_F(KnowledgeTest, NothingRunsAfterATestThatEndsTheProcessAlone) {
  knowledge_.set_alone(first_, outcome(Kind::exit));
  EXPECT_TRUE(knowledge_.ends_process(first_));
  EXPECT_TRUE(knowledge_.pair_covered(first_, second_));
  EXPECT_EQ(knowledge_.pairs_covered(), 3U);
}

/// Whatever is learnt first.
TEST_F(KnowledgeTest, BehindANonDeterministicTestPairsAreToBeTried) {
  knowledge_.set_standing(first_, Knowledge::Standing::nondeterministic);
  knowledge_.set_alone(first_, outcome(Kind::crash));
  knowledge_.set_alone(second_, outcome(Kind::crash));
  knowledge_.set_standing(second_, Knowledge::Standing::nondeterministic);
  for (TestId test : {first_, second_}) {
    EXPECT_FALSE(knowledge_.ends_process(test));
    EXPECT_FALSE(knowledge_.pair_covered(test, third_));
  }
  EXPECT_EQ(knowledge_.pairs_covered(), 0U);
  EXPECT_EQ(knowledge_.nondeterministic_enders(), order({0, 1}));
}

TEST_F(KnowledgeTest, ACrashInTheDefaultOrderOnlyLeavesThePairsToBeTried) {
  knowledge_.set_expected(second_, outcome(Kind::crash));
  knowledge_.set_alone(second_, outcome(Kind::pass));
  EXPECT_FALSE(knowledge_.pair_covered(second_, first_));
}

TEST_F(KnowledgeTest, FirstsThatGiveAResult) {
  knowledge_.set_alone(third_, outcome(Kind::pass));
  knowledge_.note_pair(first_, third_, outcome(Kind::fail, 7));
  knowledge_.note_pair(second_, third_, outcome(Kind::fail, 8));
  knowledge_.note_pair(TestId{3}, third_, outcome(Kind::pass));
  EXPECT_EQ(knowledge_.firsts_giving(third_, outcome(Kind::fail, 7)), order({0}));
  EXPECT_EQ(knowledge_.firsts_giving(third_, outcome(Kind::fail, 8)), order({1}));
  EXPECT_TRUE(knowledge_.firsts_giving(third_, outcome(Kind::crash)).empty());
  EXPECT_TRUE(knowledge_.firsts_giving(first_, outcome(Kind::fail, 7)).empty());
}

}  // namespace
}  // namespace gordian::detect_test
