// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A global callback is replaced by one test.
#include <gtest/gtest.h>

#include <functional>

std::function<int(int)> g_filter = [](int value) { return value; };

int filtered(int value) {
  return g_filter(value);  // READ
}

TEST(Filter, PassesThroughByDefault) {
  EXPECT_EQ(filtered(4), 4);
}

TEST(Filter, CanBeReplaced) {
  g_filter = [](int value) { return -value; };  // WRITE
  EXPECT_EQ(filtered(4), -4);
}

TEST(Filter, ZeroIsZero) {
  EXPECT_EQ(filtered(0), 0);
}
