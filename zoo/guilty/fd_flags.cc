// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The status flags of a file opened before the tests are changed.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

const int g_program = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);

TEST(Flags, ReadsBlock) {
  EXPECT_EQ(fcntl(g_program, F_GETFL) & O_NONBLOCK, 0);  // READ
}

TEST(Flags, IsOpen) {
  EXPECT_GE(g_program, 0);
}

TEST(Flags, CanBeSet) {
  const int flags = fcntl(g_program, F_GETFL);
  EXPECT_EQ(fcntl(g_program, F_SETFL, flags | O_NONBLOCK), 0);  // WRITE
}
