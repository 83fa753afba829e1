// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "base/edit_distance.h"

#include <gtest/gtest.h>

namespace gordian {
namespace {

TEST(EditDistance, CountsInsertionsDeletionsAndReplacements) {
  EXPECT_EQ(edit_distance("run", "run"), 0u);
  EXPECT_EQ(edit_distance("", "run"), 3u);
  EXPECT_EQ(edit_distance("run", ""), 3u);
  EXPECT_EQ(edit_distance("list", "lists"), 1u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
}

TEST(EditDistance, IsTheSameBothWays) {
  EXPECT_EQ(edit_distance("replay", "reply"), edit_distance("reply", "replay"));
  EXPECT_EQ(edit_distance("ab", "ba"), 1u);
  EXPECT_EQ(edit_distance("ba", "ab"), 1u);
}

TEST(ClosestWord, FindsTheSlip) {
  EXPECT_EQ(closest_word("docter", {"list", "doctor", "run"}), "doctor");
  EXPECT_EQ(closest_word("lst", {"list", "doctor", "run"}), "list");
}

TEST(ClosestWord, KeepsQuietWhenNothingIsNear) {
  EXPECT_FALSE(closest_word("xyzzy", {"list", "doctor", "run"}));
  EXPECT_FALSE(closest_word("anything", {}));
}

TEST(ClosestWord, TakesTheNearestAndThenTheFirst) {
  EXPECT_EQ(closest_word("Account.StartsFull", {"Account.StartsFast", "Account.StartsFulk"}),
            "Account.StartsFulk");
  EXPECT_EQ(closest_word("abcdef", {"abcdeX", "abcdeY"}), "abcdeX");
}

}  // namespace
}  // namespace gordian
