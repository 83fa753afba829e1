// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A descriptor opened before the tests is closed by one of them.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

int open_channel() {
  const int opened = open("/dev/null", O_WRONLY);
  const int moved = dup2(opened, 90);
  close(opened);
  return moved;
}

const int g_channel = open_channel();

TEST(Channel, AcceptsBytes) {
  EXPECT_EQ(write(g_channel, "x", 1), 1);  // READ
}

TEST(Channel, HasItsNumber) {
  EXPECT_EQ(g_channel, 90);
}

TEST(Channel, CanBeClosed) {
  close(g_channel);  // WRITE
  EXPECT_EQ(fcntl(g_channel, F_GETFD), -1);
}
