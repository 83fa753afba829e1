// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A call counter grows in every test, but no test looks at it.
#include <gtest/gtest.h>

long g_calls = 0;

int twice(int value) {
  ++g_calls;
  return 2 * value;
}

TEST(Twice, Zero) {
  EXPECT_EQ(twice(0), 0);
}

TEST(Twice, Positive) {
  EXPECT_EQ(twice(4), 8);
}

TEST(Twice, Negative) {
  EXPECT_EQ(twice(-4), -8);
}
