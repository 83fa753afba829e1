// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The polluter takes away what the victim waits for.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

std::atomic<bool> g_ready{true};

bool wait_until_ready() {
  for (int i = 0; i < 6000; ++i) {
    if (g_ready) return true;  // READ
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

TEST(Gate, OpensAtOnce) {
  EXPECT_TRUE(wait_until_ready());
}

TEST(Gate, CanBeClosed) {
  g_ready = false;  // WRITE
  EXPECT_FALSE(g_ready);
}

TEST(Gate, FlagIsLockFree) {
  EXPECT_TRUE(g_ready.is_lock_free());
}
