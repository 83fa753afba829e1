// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "detect/judge.h"
#include "tests/detect/samples.h"

namespace gordian::detect_test {
namespace {

class Shuffled : public testing::Test {
 protected:
  std::vector<Order> random(std::uint64_t seed, std::uint64_t trials, Shuffling how) const {
    return all_of(*random_source(suite_, knowledge_, seed, trials, how));
  }
  bool holds_each_test_once(Order tests) const {
    std::sort(tests.begin(), tests.end());
    return tests == knowledge_.tests();
  }

  Suite suite_ = numbered_suite(8);
  Knowledge knowledge_ = knowledge_of(suite_);
};

TEST_F(Shuffled, RandomOrdersArePermutations) {
  const auto orders = random(7, 50, Shuffling::both);
  EXPECT_EQ(orders.size(), 50U);
  for (const Order& one : orders) EXPECT_TRUE(holds_each_test_once(one));
  EXPECT_GT(std::set<Order>(orders.begin(), orders.end()).size(), 45U);
}

TEST_F(Shuffled, OneSeedOneSequence) {
  EXPECT_EQ(random(7, 20, Shuffling::both), random(7, 20, Shuffling::both));
  EXPECT_NE(random(7, 20, Shuffling::both), random(8, 20, Shuffling::both));
}

TEST_F(Shuffled, ATrialDoesNotDependOnHowManyThereAre) {
  const auto few = random(7, 5, Shuffling::free);
  auto many = random(7, 50, Shuffling::free);
  many.resize(few.size());
  EXPECT_EQ(few, many);
}

TEST_F(Shuffled, SuitesAreKeptTogetherIfAsked) {
  for (const Order& one : random(3, 50, Shuffling::suites)) {
    EXPECT_FALSE(splits_suites(suite_, one));
  }
}

TEST_F(Shuffled, FreeOrdersSplitSuitesAndBothDoesEachInTurn) {
  auto split = [this](const Order& one) { return splits_suites(suite_, one); };
  const auto free = random(3, 50, Shuffling::free), both = random(3, 50, Shuffling::both);
  EXPECT_GT(std::count_if(free.begin(), free.end(), split), 40);
  for (std::size_t i = 0; i < both.size(); i += 2) EXPECT_FALSE(split(both[i])) << i;
  EXPECT_GT(std::count_if(both.begin(), both.end(), split), 20);
}

TEST_F(Shuffled, EveryPairIsSeenBothWaysSoon) {
  std::set<std::pair<TestId, TestId>> before;
  for (const Order& one : random(1, 40, Shuffling::free)) {
    for (std::size_t i = 0; i < one.size(); ++i) {
      for (std::size_t j = i + 1; j < one.size(); ++j) before.insert({one[i], one[j]});
    }
  }
  EXPECT_EQ(before.size(), 8U * 7U);
}

TEST_F(Shuffled, WhatEndsTheProcessGoesLast) {
  knowledge_.set_ends_process(TestId{4});
  for (const Order& one : random(1, 20, Shuffling::free)) EXPECT_EQ(one.back(), TestId{4});
  for (const Order& one : all_of(*screen_source(knowledge_, 1, 2))) {
    EXPECT_EQ(one.back(), TestId{4});
  }
}

TEST_F(Shuffled, ScreenPutsEveryTestInFrontOfAllOthersOnceEachRound) {
  auto source = screen_source(knowledge_, 5, 3);
  EXPECT_EQ(source->total(), 24U);
  std::map<TestId, int> fronts;
  const auto orders = all_of(*source);
  for (const Order& one : orders) {
    EXPECT_TRUE(holds_each_test_once(one));
    ++fronts[one.front()];
  }
  EXPECT_EQ(orders.size(), 24U);
  EXPECT_EQ(fronts.size(), 8U);
  for (const auto& [test, count] : fronts) EXPECT_EQ(count, 3);
}

TEST_F(Shuffled, ScreensFirstRoundLeavesTheOthersInTheDefaultOrder) {
  const auto orders = all_of(*screen_source(knowledge_, 5, 1));
  ASSERT_EQ(orders.size(), 8U);
  EXPECT_EQ(orders[2], order({2, 0, 1, 3, 4, 5, 6, 7}));
}

TEST_F(Shuffled, ScreensLaterRoundsShuffleTheTailByTheSeed) {
  const auto one = all_of(*screen_source(knowledge_, 5, 2));
  EXPECT_EQ(one, all_of(*screen_source(knowledge_, 5, 2)));
  EXPECT_NE(one, all_of(*screen_source(knowledge_, 6, 2)));
  EXPECT_FALSE(std::is_sorted(one[9].begin() + 1, one[9].end()));
}

}  // namespace
}  // namespace gordian::detect_test
