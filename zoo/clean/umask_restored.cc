// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The file mode creation mask is changed and put back.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

mode_t mode_of_new_directory() {
  struct stat info {};
  mkdir("umask_probe", 0700);
  stat("umask_probe", &info);
  rmdir("umask_probe");
  return info.st_mode & 0777;
}

TEST(Permissions, OwnerMayEnter) {
  EXPECT_EQ(mode_of_new_directory() & 0100u, 0100u);
}

TEST(Permissions, MaskTakesEffect) {
  const mode_t before = umask(0100);
  EXPECT_EQ(mode_of_new_directory() & 0100u, 0u);
  umask(before);
}

TEST(Permissions, OwnerMayWrite) {
  EXPECT_EQ(mode_of_new_directory() & 0200u, 0200u);
}
