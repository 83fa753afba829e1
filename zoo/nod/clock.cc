// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The result depends on the clock.
#include <gtest/gtest.h>

#include <chrono>

long nanoseconds() {
  return std::chrono::steady_clock::now().time_since_epoch().count();
}

TEST(Clock, IsEven) {
  EXPECT_EQ((nanoseconds() / 1009) % 2, 0);
}

TEST(Clock, NeverGoesBack) {
  const long before = nanoseconds();
  EXPECT_GE(nanoseconds(), before);
}

TEST(Clock, HasStarted) {
  EXPECT_GT(nanoseconds(), 0);
}
