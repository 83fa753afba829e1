// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Every signal is blocked for a while, looked at and unblocked.
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

void block_and_look() {
  sigset_t all, before, now;
  sigfillset(&all);
  ASSERT_EQ(sigprocmask(SIG_BLOCK, &all, &before), 0);
  getppid();
  ASSERT_EQ(sigprocmask(SIG_SETMASK, nullptr, &now), 0);
  EXPECT_EQ(sigismember(&now, SIGTERM), 1);
  EXPECT_EQ(sigismember(&now, SIGSYS), 1);
  EXPECT_EQ(sigprocmask(SIG_SETMASK, &before, nullptr), 0);
  EXPECT_EQ(sigismember(&before, SIGSYS), 0);
}

TEST(Blocked, Once) {
  block_and_look();
}

TEST(Blocked, Again) {
  block_and_look();
}

TEST(Blocked, NotAtAll) {
  sigset_t now;
  ASSERT_EQ(sigprocmask(SIG_SETMASK, nullptr, &now), 0);
  EXPECT_EQ(sigismember(&now, SIGTERM), 0);
}
