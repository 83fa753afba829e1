// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Two tests fail in every order: an expected result, not a dependence.
#include <gtest/gtest.h>

int broken_sum(int a, int b) {
  return a - b;
}

TEST(Sum, OfZeros) {
  EXPECT_EQ(broken_sum(0, 0), 0);
}

TEST(Sum, OfOnes) {
  EXPECT_EQ(broken_sum(1, 1), 2);
}

TEST(Sum, OfMany) {
  ASSERT_EQ(broken_sum(5, 6), 11) << "still broken";
}

TEST(Sum, WithZero) {
  EXPECT_EQ(broken_sum(4, 0), 4);
}
