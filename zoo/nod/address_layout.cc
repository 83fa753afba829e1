// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The result depends on where the kernel placed the stack: fixed within one process and its forks.
#include <gtest/gtest.h>

#include <cstdint>

int g_anchor = 0;

bool is_odd_page(const void* address) {
  return (reinterpret_cast<std::uintptr_t>(address) >> 12) & 1;
}

TEST(Layout, StackStartsOnAnOddPage) {
  EXPECT_TRUE(is_odd_page(__builtin_frame_address(0)));
}

TEST(Layout, AnchorIsSomewhere) {
  EXPECT_NE(&g_anchor, nullptr);
}

TEST(Layout, AnchorIsAligned) {
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(&g_anchor) % 4, 0u);
}
