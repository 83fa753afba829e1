// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// One-time initialisation, done by whichever test is first.
#include <gtest/gtest.h>

#include <mutex>

std::once_flag g_once;
int g_limit = 0;

int limit() {
  std::call_once(g_once, [] { g_limit = 64; });
  return g_limit;
}

TEST(Limit, IsSixtyFour) {
  EXPECT_EQ(limit(), 64);
}

TEST(Limit, IsAPowerOfTwo) {
  EXPECT_EQ(limit() & (limit() - 1), 0);
}

TEST(Limit, IsStable) {
  EXPECT_EQ(limit(), limit());
}
