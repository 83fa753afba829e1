// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Programs are started in all the ways there are, and waited for.
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cstdlib>

TEST(Program, BySystem) {
  EXPECT_EQ(std::system("true"), 0);
}

TEST(Program, BySpawn) {
  char name[] = "true";
  char* const arguments[] = {name, nullptr};
  pid_t child = 0;
  ASSERT_EQ(posix_spawnp(&child, name, nullptr, nullptr, arguments, environ), 0);
  int status = -1;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST(Program, ByVfork) {
  const pid_t child = vfork();
  if (child == 0) {
    execlp("true", "true", nullptr);
    _exit(1);
  }
  int status = -1;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST(Program, NotAtAll) {
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
}
