// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <gtest/gtest.h>

#include "base/text.h"

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

TEST(ShellQuoted, PlainWordsStayPlain) {
  EXPECT_EQ(shell_quoted({"gordian", "run", "./a_test", "--order=random:3"}),
            "gordian run ./a_test --order=random:3");
}

TEST(ShellQuoted, WhatAShellWouldReadIsQuoted) {
  EXPECT_EQ(shell_quoted({"a b"}), "'a b'");
  EXPECT_EQ(shell_quoted({"$HOME"}), "'$HOME'");
  EXPECT_EQ(shell_quoted({"A.*:B.?-A.Slow"}), "'A.*:B.?-A.Slow'");
  EXPECT_EQ(shell_quoted({"a\nb"}), "'a\nb'");
}

TEST(ShellQuoted, AQuoteLeavesItsQuotes) {
  EXPECT_EQ(shell_quoted({"it's"}), "'it'\\''s'");
}

TEST(ShellQuoted, NothingIsAWordToo) {
  EXPECT_EQ(shell_quoted({"--filter", ""}), "--filter ''");
  EXPECT_EQ(shell_quoted({}), "");
}

TEST(CmakeText, BracketsHoldAnything) {
  EXPECT_EQ(bracket_argument("a"), "[=[a]=]");
  EXPECT_EQ(bracket_argument("a]=]b"), "[==[a]=]b]==]");
  EXPECT_EQ(bracket_argument("a]="), "[==[a]=]==]");
}

TEST(CmakeText, AnElementMayHoldTheSignBetweenThem) {
  EXPECT_EQ(list_element("a;b"), "a\\;b");
}

}  // namespace

}  // namespace gordian
