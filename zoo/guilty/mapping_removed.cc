// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Memory mapped before the tests is unmapped by one of them.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <cstring>

constexpr std::size_t kSize = 4096;

char* make_buffer() {
  void* made = mmap(nullptr, kSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  std::memset(made, 7, kSize);
  return static_cast<char*>(made);
}

char* const g_buffer = make_buffer();

TEST(Buffer, IsMapped) {
  unsigned char resident = 0;
  EXPECT_EQ(mincore(g_buffer, kSize, &resident), 0);  // READ
}

TEST(Buffer, IsAligned) {
  EXPECT_EQ(reinterpret_cast<long>(g_buffer) % 4096, 0);
}

TEST(Buffer, CanBeUnmapped) {
  EXPECT_EQ(munmap(g_buffer, kSize), 0);  // WRITE
}
