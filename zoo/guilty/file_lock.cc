// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A file opened before the tests is locked by one of them through that descriptor.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

const int g_program = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);

TEST(Lock, IsFree) {
  const int again = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  EXPECT_EQ(flock(again, LOCK_SH | LOCK_NB), 0);  // READ
  close(again);
}

TEST(Lock, FileIsOpen) {
  EXPECT_GE(g_program, 0);
}

TEST(Lock, CanBeTaken) {
  EXPECT_EQ(flock(g_program, LOCK_EX | LOCK_NB), 0);  // WRITE
}
