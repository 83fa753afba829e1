// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The limit on descriptors is lowered and raised again.
#include <gtest/gtest.h>
#include <sys/resource.h>

rlim_t descriptors() {
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  return limit.rlim_cur;
}

TEST(Limit, IsLargeAtFirst) {
  EXPECT_GT(descriptors(), 100u);
}

TEST(Limit, CanBeLowered) {
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  rlimit low = limit;
  low.rlim_cur = 100;
  setrlimit(RLIMIT_NOFILE, &low);
  EXPECT_EQ(descriptors(), 100u);
  setrlimit(RLIMIT_NOFILE, &limit);
}

TEST(Limit, IsLargeAtLast) {
  EXPECT_GT(descriptors(), 100u);
}
