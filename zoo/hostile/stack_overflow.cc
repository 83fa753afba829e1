// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Recurses without end: a crash with no stack left to handle it on.
#include <gtest/gtest.h>

volatile int g_step = 1;

int descend(int depth) {
  volatile char ballast[4096];
  ballast[0] = static_cast<char>(depth);
  return g_step == 0 ? ballast[0] : descend(depth + g_step) + ballast[0];
}

TEST(Hostile, OverflowsTheStack) {
  EXPECT_EQ(descend(0), 0);
}

TEST(Harmless, Passes) {
  SUCCEED();
}

TEST(Harmless, StillAdds) {
  EXPECT_EQ(1 + 1, 2);
}
