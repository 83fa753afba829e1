// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Forks a child that outlives the test, and the binary.
#include <gtest/gtest.h>
#include <unistd.h>

TEST(Hostile, LeavesChild) {
  const pid_t child = fork();
  if (child == 0) {
    sleep(20);
    _exit(0);
  }
  EXPECT_GT(child, 0);
}

TEST(Harmless, Passes) {
  SUCCEED();
}

TEST(Harmless, HasAProcess) {
  EXPECT_GT(getpid(), 0);
}
