// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Two globals are swapped, and swapped back.
#include <gtest/gtest.h>

#include <utility>
#include <vector>

std::vector<int> g_front{1, 2};
std::vector<int> g_back{3};

TEST(Buffers, FrontHasTwo) {
  EXPECT_EQ(g_front.size(), 2u);
}

TEST(Buffers, SwapExchanges) {
  std::swap(g_front, g_back);
  EXPECT_EQ(g_front.size(), 1u);
  std::swap(g_front, g_back);
}

TEST(Buffers, BackHasOne) {
  EXPECT_EQ(g_back.size(), 1u);
}
