// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Threads are started in every test, and joined in every test.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

int count_with(int threads) {
  std::atomic<int> total{0};
  std::vector<std::jthread> workers;
  for (int i = 0; i < threads; ++i) workers.emplace_back([&total] { ++total; });
  workers.clear();
  return total;
}

TEST(Workers, One) {
  EXPECT_EQ(count_with(1), 1);
}

TEST(Workers, Four) {
  EXPECT_EQ(count_with(4), 4);
}

TEST(Workers, None) {
  EXPECT_EQ(count_with(0), 0);
}
