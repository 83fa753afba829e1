// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// One test changes the file mode creation mask; another needs the x bit on a new directory.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

mode_t mode_of_new_directory() {
  struct stat info {};
  mkdir("umask_probe", 0700);  // READ
  stat("umask_probe", &info);
  rmdir("umask_probe");
  return info.st_mode & 0777;
}

TEST(Permissions, OwnerMayEnter) {
  EXPECT_EQ(mode_of_new_directory() & 0100u, 0100u);
}

TEST(Permissions, OwnerMayWrite) {
  EXPECT_EQ(mode_of_new_directory() & 0200u, 0200u);
}

TEST(Permissions, MaskCanBeSet) {
  umask(0100);
  EXPECT_EQ(umask(0100), 0100u);  // WRITE
}
