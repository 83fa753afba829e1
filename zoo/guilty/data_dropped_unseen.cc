// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// As data_dropped, behind more system calls than any watcher would look at one by one.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

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
  for (int i = 0; i < 5000; ++i) getppid();
  EXPECT_EQ(madvise(g_values, sizeof g_values, MADV_DONTNEED), 0);  // WRITE
}
