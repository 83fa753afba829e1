// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A blocked signal is raised and never taken.
#include <gtest/gtest.h>
#include <signal.h>

TEST(Pending, NothingWaits) {
  sigset_t waiting;
  ASSERT_EQ(sigpending(&waiting), 0);  // READ
  EXPECT_EQ(sigismember(&waiting, SIGUSR1), 0);
}

TEST(Pending, SetsAreEmptyAtFirst) {
  sigset_t none;
  sigemptyset(&none);
  EXPECT_EQ(sigismember(&none, SIGUSR1), 0);
}

TEST(Pending, SignalCanWait) {
  sigset_t one;
  sigemptyset(&one);
  sigaddset(&one, SIGUSR1);
  ASSERT_EQ(sigprocmask(SIG_BLOCK, &one, nullptr), 0);
  EXPECT_EQ(raise(SIGUSR1), 0);  // WRITE
}
