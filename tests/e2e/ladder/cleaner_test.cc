// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <gtest/gtest.h>

int g_open = 0;

TEST(Door, IsClosed) {
  EXPECT_EQ(g_open, 0);
}

TEST(Door, Opens) {
  g_open = 1;
  EXPECT_EQ(g_open, 1);
}

TEST(Door, Closes) {
  g_open = 0;
  EXPECT_EQ(g_open, 0);
}
