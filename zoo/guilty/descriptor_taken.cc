// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A test points high descriptor numbers of its own choice at a file and leaves them so.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

bool output_is_null() {
  struct stat output {
  }, null{};
  fstat(STDOUT_FILENO, &output);
  stat("/dev/null", &null);
  return output.st_rdev == null.st_rdev && output.st_ino == null.st_ino;
}

TEST(Numbers, OneIsFree) {
  EXPECT_FALSE(output_is_null());
  EXPECT_EQ(fcntl(990, F_GETFD), -1);  // READ
}

TEST(Numbers, OutputIsOpen) {
  EXPECT_GE(fcntl(STDOUT_FILENO, F_GETFD), 0);
}

TEST(Numbers, CanBeTaken) {
  const int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
  for (int number = 902; number < 1000; ++number) dup2(null, number);  // WRITE
  close(null);
  EXPECT_GE(fcntl(990, F_GETFD), 0);
}
