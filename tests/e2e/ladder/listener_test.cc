// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <gtest/gtest.h>

int g_volume = 5;

TEST(Volume, IsMedium) {
  EXPECT_EQ(g_volume, 5);
}

TEST(Volume, IsNotLoud) {
  EXPECT_LT(g_volume, 9);
}

TEST(Volume, IsOfUse) {
  EXPECT_LE(g_volume, 6);
}

TEST(Volume, CanBeRaised) {
  g_volume = 10;
  EXPECT_EQ(g_volume, 10);
}
