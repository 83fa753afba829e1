// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A child process is left running; another test has children of its own to wait for.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

TEST(Children, ThereAreNone) {
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);  // READ
}

TEST(Children, ParentIsThere) {
  EXPECT_GT(getppid(), 0);
}

TEST(Children, CanBeStarted) {
  const pid_t child = fork();  // WRITE
  if (child == 0) {
    sleep(20);
    _exit(0);
  }
  EXPECT_GT(child, 0);
}
