// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Forks twice with a session of its own in between: the grandchild escapes its process group.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

TEST(Hostile, LeavesDaemon) {
  const pid_t child = fork();
  if (child == 0) {
    setsid();
    if (fork() == 0) sleep(20);
    _exit(0);
  }
  int status = -1;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST(Harmless, Passes) {
  SUCCEED();
}

TEST(Harmless, HasAProcess) {
  EXPECT_GT(getpid(), 0);
}
