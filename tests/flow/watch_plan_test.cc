// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "flow/watch/watch_pass.h"

#include <gmock/gmock.h>

namespace gordian {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

WordWatch word(std::uint64_t address, std::size_t state, std::size_t from, std::size_t to) {
  return {{address, 8, true}, {state}, from, to, true};
}

std::vector<std::pair<std::uint64_t, int>> pieces(ByteRange range) {
  std::vector<std::pair<std::uint64_t, int>> result;
  for (const Watch& watch : watches_for(range)) result.emplace_back(watch.address, watch.size);
  return result;
}

TEST(WatchesFor, PiecesAreAlignedToTheirSize) {
  EXPECT_THAT(pieces({0x1000, 8}), ElementsAre(std::pair(0x1000, 8)));
  EXPECT_THAT(pieces({0x1004, 4}), ElementsAre(std::pair(0x1004, 4)));
  EXPECT_THAT(pieces({0x1001, 7}),
              ElementsAre(std::pair(0x1001, 1), std::pair(0x1002, 2), std::pair(0x1004, 4)));
  EXPECT_TRUE(pieces({0x1000, 0}).empty());
}

TEST(PlanWatches, FourWordsAtATime) {
  std::vector<WordWatch> words;
  for (std::uint64_t i = 0; i < 9; ++i) words.push_back(word(0x1000 + 8 * i, i, 0, 10));
  WatchPlan plan = plan_watches(words, 10, 64);
  EXPECT_THAT(plan.passes, ElementsAre(SizeIs(4), SizeIs(4), SizeIs(1)));
  EXPECT_TRUE(plan.left_out.empty());
}

TEST(PlanWatches, WordsOfDifferentTestsShareAPass) {
  std::vector<WordWatch> words;
  for (std::uint64_t i = 0; i < 8; ++i) words.push_back(word(0x1000 + 8 * i, i, i, i + 1));
  EXPECT_THAT(plan_watches(words, 8, 64).passes, ElementsAre(SizeIs(8)));
}

TEST(PlanWatches, OnePieceOfMemoryIsWatchedOnceForAllItsStates) {
  WatchPlan plan = plan_watches(std::vector{word(0x1000, 1, 0, 5), word(0x1000, 2, 0, 5)}, 5, 64);
  ASSERT_THAT(plan.passes, ElementsAre(SizeIs(1)));
  EXPECT_THAT(plan.passes[0][0].states, ElementsAre(1, 2));
}

TEST(PlanWatches, TheSameStateAgainOnlyLastsLonger) {
  WatchPlan plan = plan_watches(std::vector{word(0x1000, 1, 4, 9), word(0x1000, 1, 2, 9)}, 9, 64);
  ASSERT_THAT(plan.passes, ElementsAre(SizeIs(1)));
  EXPECT_EQ(plan.passes[0][0].from, 2u);
}

TEST(PlanWatches, WhatDoesNotFitIsToldByItsStates) {
  std::vector<WordWatch> words;
  for (std::uint64_t i = 0; i < 6; ++i) words.push_back(word(0x1000 + 8 * i, i / 2, 0, 3));
  WatchPlan plan = plan_watches(words, 3, 1);
  EXPECT_THAT(plan.passes, ElementsAre(SizeIs(4)));
  EXPECT_THAT(plan.left_out, ElementsAre(2));
}

TEST(PlanWatches, WordsThatNoTestCanFindAreLeftOut) {
  EXPECT_TRUE(plan_watches(std::vector{word(0x1000, 0, 3, 3)}, 3, 64).passes.empty());
}

}  // namespace
}  // namespace gordian
