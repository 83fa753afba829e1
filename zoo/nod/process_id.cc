// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The result depends on the number of the process.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>

// Mixed, because a runner that starts two processes for each test would see one parity only.
std::uint32_t mixed_pid() {
  return static_cast<std::uint32_t>(getpid()) * 2654435761u;
}

TEST(Process, HasALuckyNumber) {
  EXPECT_EQ((mixed_pid() >> 24) % 2, 0u);
}

TEST(Process, HasAParent) {
  EXPECT_GE(getppid(), 0);
}

TEST(Process, NumberIsStable) {
  EXPECT_EQ(getpid(), getpid());
}
