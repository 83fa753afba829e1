// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A hard resource limit is lowered; only a privileged process may raise it again.
#include <gtest/gtest.h>
#include <sys/resource.h>

rlim_t hard_limit() {
  rlimit limit{};
  getrlimit(RLIMIT_FSIZE, &limit);
  return limit.rlim_max;
}

const rlim_t g_at_first = hard_limit();

TEST(HardLimit, IsAsAtFirst) {
  EXPECT_EQ(hard_limit(), g_at_first);  // READ
}

TEST(HardLimit, IsNotZero) {
  EXPECT_GT(hard_limit(), 0u);
}

TEST(HardLimit, CanBeLowered) {
  const rlimit lower{1u << 30, 1u << 30};
  EXPECT_EQ(setrlimit(RLIMIT_FSIZE, &lower), 0);  // WRITE
}
