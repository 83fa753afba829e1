// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The page of a variable is given back to the kernel, which makes it what the program file says.
#include <gtest/gtest.h>
#include <sys/mman.h>

alignas(4096) int g_values[1024] = {1};

int count_values() {
  return g_values[0] = 2;
}

const int g_count = count_values();

TEST(Values, AreAsAtFirst) {
  EXPECT_EQ(g_values[0], g_count);  // READ
}

TEST(Values, SecondIsZero) {
  EXPECT_EQ(g_values[1], 0);
}

TEST(Values, CanBeForgotten) {
  EXPECT_EQ(madvise(g_values, sizeof g_values, MADV_DONTNEED), 0);  // WRITE
}
