// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Static objects with destructors that run long after the last test.
#include <gtest/gtest.h>

#include <cstdio>
#include <string>
#include <vector>

struct Journal {
  std::vector<std::string> lines{"begin"};
  ~Journal() { std::printf("journal closed with %zu lines\n", lines.size()); }
};

Journal g_journal;

TEST(JournalTest, BeginsWithBegin) {
  EXPECT_EQ(g_journal.lines.front(), "begin");
}

TEST(JournalTest, CanGrow) {
  g_journal.lines.push_back("entry");
  EXPECT_EQ(g_journal.lines.back(), "entry");
}

TEST(JournalTest, IsNeverEmpty) {
  EXPECT_FALSE(g_journal.lines.empty());
}
