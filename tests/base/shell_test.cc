// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <gtest/gtest.h>

#include "base/shell.h"

namespace gordian {
namespace {

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

}  // namespace
}  // namespace gordian
