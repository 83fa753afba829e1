// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A function to be called at exit stays registered.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cstdlib>

bool g_acts = false;

void act() {
  if (g_acts) _exit(7);
}

TEST(Exit, HasTheStatusAskedFor) {
  const pid_t child = fork();
  if (child == 0) {
    g_acts = true;
    std::exit(3);  // READ
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 3);
}

TEST(Exit, DoesNotActAtFirst) {
  EXPECT_FALSE(g_acts);
}

TEST(Exit, FunctionCanBeRegistered) {
  EXPECT_EQ(std::atexit(act), 0);  // WRITE
}
