// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A thread is running before the first test, as with many a runtime library.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

std::atomic<bool> g_stop{false};
std::atomic<long> g_beats{0};

TEST(Harmless, Passes) {
  SUCCEED();
}

TEST(Harmless, StillAdds) {
  EXPECT_EQ(1 + 1, 2);
}

TEST(Harmless, BeatsAreNotNegative) {
  EXPECT_GE(g_beats, 0);
}

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  std::jthread heart([] {
    while (!g_stop) {
      ++g_beats;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  });
  const int status = RUN_ALL_TESTS();
  g_stop = true;
  return status;
}
