// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// One test blocks a signal for good.
#include <gtest/gtest.h>
#include <signal.h>

bool is_blocked(int number) {
  sigset_t mask;
  sigprocmask(SIG_BLOCK, nullptr, &mask);  // READ
  return sigismember(&mask, number) == 1;
}

TEST(Interrupts, AreDeliveredAtFirst) {
  EXPECT_FALSE(is_blocked(SIGURG));
}

TEST(Interrupts, CanBeHeldBack) {
  sigset_t urgent;
  sigemptyset(&urgent);
  sigaddset(&urgent, SIGURG);
  sigprocmask(SIG_BLOCK, &urgent, nullptr);  // WRITE
  EXPECT_TRUE(is_blocked(SIGURG));
}

TEST(Interrupts, OthersAreUntouched) {
  EXPECT_FALSE(is_blocked(SIGWINCH));
}
