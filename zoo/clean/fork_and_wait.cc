// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A child process writes the global; the parent waits and sees nothing of it.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

int g_value = 0;

int child_status(int code) {
  const pid_t child = fork();
  if (child == 0) {
    g_value = code;
    _exit(g_value);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WEXITSTATUS(status);
}

TEST(Child, ReturnsItsCode) {
  EXPECT_EQ(child_status(7), 7);
}

TEST(Child, DoesNotTouchTheParent) {
  child_status(9);
  EXPECT_EQ(g_value, 0);
}

TEST(Parent, IsUntouched) {
  EXPECT_EQ(g_value, 0);
}
