// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The thread-local is written on other threads only; the tests' own copy stays as it was.
#include <gtest/gtest.h>

#include <thread>

thread_local int t_last_error = 0;

int error_on_other_thread(int code) {
  int seen = 0;
  std::thread([&seen, code] { seen = t_last_error = code; }).join();
  return seen;
}

TEST(LastError, IsZeroAtFirst) {
  EXPECT_EQ(t_last_error, 0);
}

TEST(LastError, OtherThreadHasItsOwn) {
  EXPECT_EQ(error_on_other_thread(5), 5);
}

TEST(LastError, OursIsStillZero) {
  error_on_other_thread(6);
  EXPECT_EQ(t_last_error, 0);
}
