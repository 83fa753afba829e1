// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A test that leans on an earlier one for its set-up.
#include <gtest/gtest.h>

#include <vector>

std::vector<int> g_table;

TEST(Table, IsLoaded) {
  g_table = {1, 4, 9};  // WRITE
  EXPECT_EQ(g_table.size(), 3u);
}

TEST(Table, HoldsSquares) {
  ASSERT_EQ(g_table.size(), 3u);  // READ
  EXPECT_EQ(g_table[2], 9);
}

TEST(Table, TypeIsInt) {
  EXPECT_EQ(sizeof(g_table[0]), sizeof(int));
}
