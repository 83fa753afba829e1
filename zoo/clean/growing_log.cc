// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A log that every test lengthens and no test measures.
#include <gtest/gtest.h>

#include <string>
#include <vector>

std::vector<std::string> g_log;

int divide(int a, int b) {
  g_log.push_back("divide");
  return b == 0 ? 0 : a / b;
}

TEST(Divide, Even) {
  EXPECT_EQ(divide(6, 3), 2);
}

TEST(Divide, RoundsDown) {
  EXPECT_EQ(divide(7, 3), 2);
}

TEST(Divide, ByZeroIsZero) {
  EXPECT_EQ(divide(1, 0), 0);
  EXPECT_EQ(g_log.back(), "divide");
}
