// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// One test lowers the number of descriptors that the process may have.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

TEST(Descriptors, HighNumbersAreAllowed) {
  const int opened = open("/dev/null", O_RDONLY);  // READ
  const int high = dup2(opened, 120);
  EXPECT_EQ(high, 120);
  if (high >= 0) close(high);
  close(opened);
}

TEST(Descriptors, LimitCanBeLowered) {
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = 100;
  EXPECT_EQ(setrlimit(RLIMIT_NOFILE, &limit), 0);  // WRITE
}

TEST(Descriptors, LowNumbersAreAllowed) {
  const int opened = open("/dev/null", O_RDONLY);
  EXPECT_GE(opened, 0);
  close(opened);
}
