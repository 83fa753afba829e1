// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// As pages_dropped, behind more system calls than any watcher would look at one by one.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>
#include <cstring>

constexpr std::size_t kSize = 16 << 20;

char* make_buffer() {
  void* made = mmap(nullptr, kSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  std::memset(made, 7, kSize);
  return static_cast<char*>(made);
}

char* const g_buffer = make_buffer();

TEST(Buffer, HoldsItsContent) {
  EXPECT_EQ(g_buffer[0] + g_buffer[kSize / 2] + g_buffer[kSize - 1], 21);  // READ
}

TEST(Buffer, IsAligned) {
  EXPECT_EQ(reinterpret_cast<long>(g_buffer) % 4096, 0);
}

TEST(Buffer, CanBeEmptied) {
  for (int i = 0; i < 5000; ++i) getppid();
  EXPECT_EQ(madvise(g_buffer, kSize, MADV_DONTNEED), 0);  // WRITE
}
