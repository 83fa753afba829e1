// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Many blocks are never freed: the end of the heap stays where they ended.
#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <cstdlib>

const long g_end_at_first = syscall(SYS_brk, 0);

long growth() {
  return syscall(SYS_brk, 0) - g_end_at_first;
}

TEST(Heap, HasHardlyGrown) {
  EXPECT_LT(growth(), 8 << 20);  // READ
}

TEST(Heap, GivesMemory) {
  void* block = std::malloc(1000);
  EXPECT_NE(block, nullptr);
  std::free(block);
}

TEST(Heap, CanGrow) {
  for (int i = 0; i < 1000; ++i) {
    static volatile char* last = nullptr;
    last = static_cast<char*>(std::malloc(20'000));  // WRITE
    last[0] = 1;
  }
  EXPECT_GT(growth(), 16 << 20);
}
