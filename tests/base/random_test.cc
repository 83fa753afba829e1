// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "base/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

namespace gordian {
namespace {

/// The sequence is a promise: an order printed by one version is read by another. These are the
/// reference values of SplitMix64.
TEST(Random, SequenceIsFixed) {
  Random zero(0);
  EXPECT_EQ(zero.next(), 0xe220a8397b1dcdafu);
  EXPECT_EQ(zero.next(), 0x6e789e6aa1b965f4u);
  EXPECT_EQ(zero.next(), 0x06c45d188009454fu);
}

TEST(Random, ShuffleIsFixed) {
  std::vector<int> one(8), other(8);
  std::iota(one.begin(), one.end(), 0);
  std::iota(other.begin(), other.end(), 0);
  Random(42).shuffle(one);
  Random(42).shuffle(other);
  EXPECT_EQ(one, other);
  EXPECT_EQ(one, (std::vector<int>{3, 1, 6, 2, 4, 0, 7, 5}));
}

TEST(Random, BelowStaysBelowAndReachesAll) {
  Random random(7);
  std::set<std::uint64_t> seen;
  for (int i = 0; i < 1000; ++i) seen.insert(random.below(6));
  EXPECT_EQ(seen, (std::set<std::uint64_t>{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(random.below(1), 0u);
}

TEST(Random, ShuffleKeepsEveryItem) {
  std::vector<int> items(100);
  std::iota(items.begin(), items.end(), 0);
  std::vector<int> shuffled = items;
  Random(1).shuffle(shuffled);
  EXPECT_NE(shuffled, items);
  std::sort(shuffled.begin(), shuffled.end());
  EXPECT_EQ(shuffled, items);
}

TEST(Random, EveryOrderOfThreeComesUp) {
  std::set<std::vector<int>> seen;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    std::vector<int> items = {1, 2, 3};
    Random(seed).shuffle(items);
    seen.insert(items);
  }
  EXPECT_EQ(seen.size(), 6u);
}

TEST(Random, NothingAndOneCanBeShuffled) {
  std::vector<int> none, one = {5};
  Random random(3);
  random.shuffle(none);
  random.shuffle(one);
  EXPECT_TRUE(none.empty());
  EXPECT_EQ(one, std::vector<int>{5});
}

}  // namespace
}  // namespace gordian
