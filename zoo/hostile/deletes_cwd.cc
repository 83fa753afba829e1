// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Makes a directory, moves into it and removes it: there is no working directory any more.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

TEST(Hostile, DeletesWorkingDirectory) {
  ASSERT_EQ(mkdir("doomed", 0700), 0);
  ASSERT_EQ(chdir("doomed"), 0);
  EXPECT_EQ(rmdir("../doomed"), 0);
  char path[256];
  EXPECT_EQ(getcwd(path, sizeof path), nullptr);
}

TEST(Harmless, Passes) {
  SUCCEED();
}

TEST(Harmless, Fails) {
  ADD_FAILURE() << "this failure must be reported all the same";
}
