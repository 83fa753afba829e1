// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Ids differ from order to order, but tests compare them with each other only.
#include <gtest/gtest.h>

int next_id() {
  static int last = 0;
  return ++last;
}

TEST(Ids, AreUnique) {
  EXPECT_NE(next_id(), next_id());
}

TEST(Ids, AreConsecutive) {
  const int first = next_id();
  EXPECT_EQ(next_id(), first + 1);
}

TEST(Ids, ArePositive) {
  EXPECT_GT(next_id(), 0);
}
