// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Tests that use many megabytes of stack, one deeper than the other.
#include <gtest/gtest.h>
#include <cstring>

int sum_of_frames(int depth) {
  char frame[4096];
  std::memset(frame, depth, sizeof frame);
  volatile char* last = frame + sizeof frame - 1;
  return depth == 0 ? 0 : sum_of_frames(depth - 1) + (*last == static_cast<char>(depth));
}

TEST(Recursion, Shallow) {
  EXPECT_EQ(sum_of_frames(10), 10);
}

TEST(Recursion, Deep) {
  EXPECT_EQ(sum_of_frames(1500), 1500);
}

TEST(Recursion, Between) {
  EXPECT_EQ(sum_of_frames(700), 700);
}
