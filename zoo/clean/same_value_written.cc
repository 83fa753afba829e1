// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A test writes the value that the global already has.
#include <gtest/gtest.h>

int g_level = 3;

TEST(Level, IsThree) {
  EXPECT_EQ(g_level, 3);
}

TEST(Level, CanBeSetToThree) {
  volatile int three = 3;
  g_level = three;
  EXPECT_EQ(g_level, 3);
}

TEST(Level, IsLessThanTen) {
  EXPECT_LT(g_level, 10);
}
