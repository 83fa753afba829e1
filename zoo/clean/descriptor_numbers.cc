// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A test uses high descriptor numbers of its own choice.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

/// Points every number of a range at /dev/null, and closes them again.
int use_numbers(int first, int last) {
  const int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
  int used = 0;
  for (int number = first; number <= last; ++number) {
    used += dup2(null, number) == number;
    close(number);
  }
  close(null);
  return used;
}

TEST(Numbers, FromNineHundred) {
  EXPECT_EQ(use_numbers(900, 950), 51);
}

TEST(Numbers, OutputStillWorks) {
  EXPECT_EQ(write(STDOUT_FILENO, "there\n", 6), 6);
}

TEST(Numbers, OneOnly) {
  EXPECT_EQ(use_numbers(905, 905), 1);
}

TEST(Numbers, OutputWorksAtTheEnd) {
  EXPECT_EQ(write(STDOUT_FILENO, "still\n", 6), 6);
}
