// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A page shared with all forked processes: what one of them writes, all of them see.
#include <gtest/gtest.h>
#include <sys/mman.h>

int* make_shared_counter() {
  void* page = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return static_cast<int*>(page);
}

int* const g_counter = make_shared_counter();

TEST(SharedPage, IsZeroAtFirst) {
  EXPECT_EQ(*g_counter, 0);  // READ
}

TEST(SharedPage, CanBeWritten) {
  *g_counter = 5;  // WRITE
  EXPECT_EQ(*g_counter, 5);
}

TEST(SharedPage, IsMapped) {
  EXPECT_NE(g_counter, MAP_FAILED);
}
