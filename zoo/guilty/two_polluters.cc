// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Two tests pollute the same variable with different values; one cleaner serves both.
#include <gtest/gtest.h>

int g_volume = 5;

TEST(Radio, DefaultVolume) {
  EXPECT_EQ(g_volume, 5);  // READ
}

TEST(Radio, Louder) {
  g_volume = 8;  // WRITE 1
  EXPECT_EQ(g_volume, 8);
}

TEST(Radio, Quieter) {
  g_volume = 2;  // WRITE 2
  EXPECT_EQ(g_volume, 2);
}

TEST(Radio, ResetWorks) {
  g_volume = 5;
  EXPECT_EQ(g_volume, 5);
}
