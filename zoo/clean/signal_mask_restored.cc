// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A signal is blocked for the length of a test only.
#include <gtest/gtest.h>
#include <signal.h>

bool is_blocked(int number) {
  sigset_t mask;
  sigprocmask(SIG_BLOCK, nullptr, &mask);
  return sigismember(&mask, number) == 1;
}

TEST(Interrupts, AreDeliveredAtFirst) {
  EXPECT_FALSE(is_blocked(SIGURG));
}

TEST(Interrupts, CanBeHeldBack) {
  sigset_t urgent;
  sigset_t before;
  sigemptyset(&urgent);
  sigaddset(&urgent, SIGURG);
  sigprocmask(SIG_BLOCK, &urgent, &before);
  EXPECT_TRUE(is_blocked(SIGURG));
  sigprocmask(SIG_SETMASK, &before, nullptr);
}

TEST(Interrupts, OthersAreUntouched) {
  EXPECT_FALSE(is_blocked(SIGWINCH));
}
