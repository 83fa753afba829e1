// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Endings that would take a whole process with them.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <thread>

TEST(Broken, Fails) {
  EXPECT_EQ(1 + 1, 3) << "arithmetic as usual";
}

TEST(Broken, Crashes) {
  std::abort();
}

TEST(Broken, Exits) {
  std::exit(0);
}

TEST(Broken, Hangs) {
  for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
}

TEST(Broken, NotAtAll) {
  SUCCEED();
}
