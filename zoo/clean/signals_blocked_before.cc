// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Every signal is blocked before the first test, as servers do.
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

int block_all() {
  sigset_t all;
  sigfillset(&all);
  return sigprocmask(SIG_BLOCK, &all, nullptr);
}

const int g_blocked = block_all();

TEST(Blocked, CallsWork) {
  EXPECT_EQ(g_blocked, 0);
  EXPECT_GT(getppid(), 0);
}

TEST(Blocked, FilesWork) {
  EXPECT_EQ(access("/", F_OK), 0);
}

TEST(Blocked, StillBlocked) {
  sigset_t now;
  ASSERT_EQ(sigprocmask(SIG_SETMASK, nullptr, &now), 0);
  EXPECT_EQ(sigismember(&now, SIGSYS), 1);
}
