// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The result depends on where the heap lies and on how much of it is in use: within one process and
// its forks it looks as if one test broke the other.
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>

char* g_kept = nullptr;

std::uintptr_t page_of_new_block() {
  auto block = std::make_unique<char[]>(3000);
  return reinterpret_cast<std::uintptr_t>(block.get()) >> 12;
}

TEST(Heap, BlockIsOnALuckyPage) {
  EXPECT_NE(page_of_new_block() % 3, 0u);
}

TEST(Heap, BlockCanBeKept) {
  g_kept = new char[4096];
  EXPECT_NE(g_kept, nullptr);
}

TEST(Heap, BlocksAreAligned) {
  auto block = std::make_unique<char[]>(3000);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block.get()) % 16, 0u);
}
