// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Ids come from a static counter; the first test insists on being the first to ask.
#include <gtest/gtest.h>

int next_id() {
  static int last = 0;
  return ++last;  // WRITE READ
}

TEST(Ids, FirstIsOne) {
  EXPECT_EQ(next_id(), 1);
}

TEST(Ids, AreUnique) {
  EXPECT_NE(next_id(), next_id());
}

TEST(Ids, Grow) {
  const int first = next_id();
  EXPECT_GT(next_id(), first);
}
