// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A descriptor opened before the tests is pointed at another file.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

int open_source() {
  const int opened = open("/dev/null", O_RDONLY | O_CLOEXEC);
  const int moved = dup2(opened, 90);
  close(opened);
  return moved;
}

const int g_source = open_source();

TEST(Source, IsEmpty) {
  char byte = 0;
  EXPECT_EQ(read(g_source, &byte, 1), 0);  // READ
}

TEST(Source, HasItsNumber) {
  EXPECT_EQ(g_source, 90);
}

TEST(Source, CanBeReplaced) {
  const int zeros = open("/dev/zero", O_RDONLY | O_CLOEXEC);
  EXPECT_EQ(dup2(zeros, g_source), 90);  // WRITE
  close(zeros);
}
