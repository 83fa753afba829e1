// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A detached thread goes on writing after its test has ended.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

std::atomic<int> g_level{0};
std::atomic<bool> g_started{false};

[[noreturn]] void pump() {
  for (;;) {
    g_level = 9;  // WRITE
    g_started = true;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

TEST(Tank, KeepsItsLevel) {
  g_level = 1;
  std::this_thread::sleep_for(std::chrono::milliseconds(60));
  EXPECT_EQ(g_level, 1);  // READ
}

TEST(Tank, PumpFillsIt) {
  g_started = false;
  std::thread(pump).detach();
  while (!g_started) std::this_thread::yield();
  EXPECT_EQ(g_level, 9);
}

TEST(Tank, LevelIsNeverNegative) {
  EXPECT_GE(g_level, 0);
}
