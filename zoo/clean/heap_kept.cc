// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// One test keeps a block of the heap, so the others get theirs elsewhere; none looks at where.
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>

char* g_kept = nullptr;

TEST(Heap, TwoBlocksAreApart) {
  auto first = std::make_unique<char[]>(3000), second = std::make_unique<char[]>(3000);
  EXPECT_NE(first.get(), second.get());
}

TEST(Heap, BlockCanBeKept) {
  g_kept = new char[4096];
  EXPECT_NE(g_kept, nullptr);
}

TEST(Heap, BlocksAreAligned) {
  auto block = std::make_unique<char[]>(3000);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block.get()) % 16, 0u);
}
