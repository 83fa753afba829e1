// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The priority of the process is lowered, which cannot be taken back without rights.
#include <gtest/gtest.h>
#include <sys/resource.h>

const int g_at_first = getpriority(PRIO_PROCESS, 0);

TEST(Priority, IsAsAtFirst) {
  EXPECT_EQ(getpriority(PRIO_PROCESS, 0), g_at_first);  // READ
}

TEST(Priority, IsInRange) {
  EXPECT_LE(getpriority(PRIO_PROCESS, 0), 19);
}

TEST(Priority, CanBeLowered) {
  EXPECT_EQ(setpriority(PRIO_PROCESS, 0, g_at_first + 1), 0);  // WRITE
}
