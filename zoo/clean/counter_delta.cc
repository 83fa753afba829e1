// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// An atomic counter that never goes back; tests measure differences.
#include <gtest/gtest.h>

#include <atomic>

std::atomic<long> g_requests{0};

long requests_during(void (*work)()) {
  const long before = g_requests;
  work();
  return g_requests - before;
}

TEST(Requests, OneCallIsOne) {
  EXPECT_EQ(requests_during([] { ++g_requests; }), 1);
}

TEST(Requests, TwoCallsAreTwo) {
  EXPECT_EQ(requests_during([] { g_requests += 2; }), 2);
}

TEST(Requests, NoCallIsNone) {
  EXPECT_EQ(requests_during([] {}), 0);
}
