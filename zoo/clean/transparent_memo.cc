// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A memo keyed by all of its inputs: faster for the second test, never different.
#include <gtest/gtest.h>

#include <map>

std::map<int, long> g_memo;

long fibonacci(int n) {
  if (n < 2) return n;
  const auto found = g_memo.find(n);
  if (found != g_memo.end()) return found->second;
  return g_memo[n] = fibonacci(n - 1) + fibonacci(n - 2);
}

TEST(Fibonacci, Tenth) {
  EXPECT_EQ(fibonacci(10), 55);
}

TEST(Fibonacci, Fiftieth) {
  EXPECT_EQ(fibonacci(50), 12586269025);
}

TEST(Fibonacci, First) {
  EXPECT_EQ(fibonacci(1), 1);
}
