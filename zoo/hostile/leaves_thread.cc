// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Leaves a thread running which does nothing but run.
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

TEST(Hostile, LeavesThread) {
  std::thread([] {
    for (;;) std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }).detach();
  SUCCEED();
}

TEST(Harmless, Passes) {
  SUCCEED();
}

TEST(Harmless, StillAdds) {
  EXPECT_EQ(1 + 1, 2);
}
