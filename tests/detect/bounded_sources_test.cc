// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/detect/samples.h"

namespace gordian::detect_test {
namespace {

using Standing = Knowledge::Standing;

TEST(Exhaustive, EveryOrderOnceInLexicographicOrder) {
  const Suite suite = numbered_suite(5);
  const Knowledge knowledge = knowledge_of(suite);
  const std::size_t counts[] = {5, 20, 60, 120, 120};
  for (int k = 1; k <= 5; ++k) {
    auto source = exhaustive_source(knowledge, k);
    EXPECT_EQ(source->total(), counts[k - 1]);
    const auto orders = all_of(*source);
    EXPECT_EQ(orders.size(), counts[k - 1]);
    EXPECT_TRUE(std::is_sorted(orders.begin(), orders.end()));
    EXPECT_EQ(std::set<Order>(orders.begin(), orders.end()).size(), orders.size());
    for (const Order& one : orders) {
      EXPECT_EQ(one.size(), static_cast<std::size_t>(k));
      EXPECT_EQ(std::set<TestId>(one.begin(), one.end()).size(), one.size());
    }
  }
}

TEST(Exhaustive, PairsOfThreeAsWritten) {
  const Knowledge knowledge = knowledge_of(numbered_suite(3));
  auto source = exhaustive_source(knowledge, 2);
  EXPECT_EQ(all_of(*source), (std::vector<Order>{order({0, 1}), order({0, 2}), order({1, 0}),
                                                 order({1, 2}), order({2, 0}), order({2, 1})}));
  EXPECT_EQ(source->next(), std::nullopt) << "the end is the end";
}

TEST(Exhaustive, MoreTestsThanThereAreMeansAllOfThem) {
  const Knowledge knowledge = knowledge_of(numbered_suite(3));
  auto source = exhaustive_source(knowledge, 6);
  EXPECT_EQ(source->total(), 6U);
  EXPECT_EQ(all_of(*source).size(), 6U);
}

TEST(Exhaustive, OnlyTheTestsSearched) {
  Knowledge knowledge(numbered_suite(5));
  knowledge.set_tests(order({4, 1}));
  auto source = exhaustive_source(knowledge, 2);
  EXPECT_EQ(all_of(*source), (std::vector<Order>{order({4, 1}), order({1, 4})}));
}

TEST(Bounded, NoTestsNoOrders) {
  const Knowledge knowledge = knowledge_of(numbered_suite(0));
  EXPECT_TRUE(all_of(*exhaustive_source(knowledge, 2)).empty());
  EXPECT_TRUE(all_of(*aware_source(knowledge, 2)).empty());
}

TEST(Aware, ShortOrdersFirstAndAllOfThemWhenNothingIsKnown) {
  const Knowledge knowledge = knowledge_of(numbered_suite(4));
  const auto orders = all_of(*aware_source(knowledge, 3));
  EXPECT_EQ(orders.size(), 4U + 12U + 24U);
  EXPECT_TRUE(std::is_sorted(orders.begin(), orders.end(),
                             [](const Order& a, const Order& b) { return a.size() < b.size(); }));
  EXPECT_EQ(std::set<Order>(orders.begin(), orders.end()).size(), orders.size());
}

TEST(Aware, NothingNewAboutATestThatIsDecided) {
  for (Standing decided : {Standing::nondeterministic, Standing::left_out}) {
    Knowledge knowledge = knowledge_of(numbered_suite(4));
    knowledge.set_standing(TestId{1}, decided);
    std::size_t as_predecessor = 0;
    const auto orders = all_of(*aware_source(knowledge, 3));
    for (const Order& one : orders) {
      EXPECT_NE(one.back(), TestId{1});
      as_predecessor += one.front() == TestId{1};
    }
    EXPECT_EQ(orders.size(), 3U + 9U + 18U);
    EXPECT_GT(as_predecessor, 0U) << "it may still pollute others";
  }
}

TEST(Aware, LearnsWhileItGoes) {
  Knowledge knowledge = knowledge_of(numbered_suite(3));
  auto source = aware_source(knowledge, 2);
  for (int i = 0; i < 4; ++i) source->next();  // three alone, and the first pair
  knowledge.set_standing(TestId{2}, Standing::nondeterministic);
  for (const Order& one : all_of(*source)) EXPECT_NE(one.back(), TestId{2});
}

/// It may depend on others, too, and show it in another way.
TEST(Aware, ADependentTestIsSearchedFurther) {
  Knowledge knowledge = knowledge_of(numbered_suite(4));
  knowledge.set_standing(TestId{1}, Standing::dependent);
  EXPECT_EQ(all_of(*aware_source(knowledge, 3)).size(), 4U + 12U + 24U);
}

// Behind another test it may live, so only orders that begin with it tell nothing.
TEST(Aware, NoOrderGoesOnAfterAFirstTestThatEndsTheProcess) {
  Knowledge knowledge = knowledge_of(numbered_suite(4));
  knowledge.set_expected(TestId{2}, outcome(OutcomeKind::crash));
  knowledge.set_alone(TestId{2}, outcome(OutcomeKind::crash));
  std::size_t last = 0;
  for (const Order& one : all_of(*aware_source(knowledge, 3))) {
    EXPECT_TRUE(one.size() == 1 || one.front() != TestId{2});
    last += one.back() == TestId{2};
  }
  EXPECT_EQ(last, 1U + 3U + 6U);
}

// Alone it passes, so much may run after it; that it crashes behind a polluter changes nothing.
TEST(Aware, AVictimThatCrashesInTheDefaultOrderMayStillPollute) {
  Knowledge knowledge = knowledge_of(numbered_suite(3));
  knowledge.set_expected(TestId{1}, outcome(OutcomeKind::crash));
  knowledge.set_alone(TestId{1}, outcome(OutcomeKind::pass));
  const auto orders = all_of(*aware_source(knowledge, 2));
  EXPECT_NE(std::find(orders.begin(), orders.end(), order({1, 0})), orders.end());
}

}  // namespace
}  // namespace gordian::detect_test
