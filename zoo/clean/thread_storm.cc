// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A hundred threads come and go.
#include <gtest/gtest.h>
#include <atomic>
#include <thread>
#include <vector>

int run_threads(int count) {
  std::atomic<int> ran{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) threads.emplace_back([&ran] { ++ran; });
  for (std::thread& thread : threads) thread.join();
  return ran;
}

TEST(Threads, AHundred) {
  EXPECT_EQ(run_threads(100), 100);
}

TEST(Threads, AHundredAgain) {
  EXPECT_EQ(run_threads(100), 100);
}

TEST(Threads, None) {
  EXPECT_EQ(run_threads(0), 0);
}
