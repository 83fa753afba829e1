// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The process registers for memory barriers, which no call takes back.
#include <gtest/gtest.h>
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

long barrier(int command) {
  return syscall(SYS_membarrier, command, 0, 0);
}

TEST(Barrier, NeedsRegistration) {
  EXPECT_EQ(barrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE), -1);  // READ
}

TEST(Barrier, CanBeAskedFor) {
  EXPECT_GT(barrier(MEMBARRIER_CMD_QUERY), 0);
}

TEST(Barrier, CanBeRegistered) {
  EXPECT_EQ(barrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_SYNC_CORE), 0);  // WRITE
}
