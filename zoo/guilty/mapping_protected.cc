// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Memory mapped before the tests is made read-only by one of them.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>
#include <cstring>

constexpr std::size_t kSize = 4096;

char* make_buffer() {
  void* made = mmap(nullptr, kSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  std::memset(made, 7, kSize);
  return static_cast<char*>(made);
}

char* const g_buffer = make_buffer();

TEST(Buffer, IsWritable) {
  const int zeros = open("/dev/zero", O_RDONLY | O_CLOEXEC);
  EXPECT_EQ(read(zeros, g_buffer, 1), 1);  // READ
  close(zeros);
}

TEST(Buffer, IsAligned) {
  EXPECT_EQ(reinterpret_cast<long>(g_buffer) % 4096, 0);
}

TEST(Buffer, CanBeProtected) {
  EXPECT_EQ(mprotect(g_buffer, kSize, PROT_READ), 0);  // WRITE
}
