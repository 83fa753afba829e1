// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The changed state lives two pointers away from the global that leads to it.
#include <gtest/gtest.h>

struct Limits {
  int max_size = 10;
  int max_depth = 4;
};

struct Profile {
  Limits* limits = new Limits;
};

Profile* g_profile = new Profile;

TEST(ProfileTest, DefaultSizeIsTen) {
  EXPECT_EQ(g_profile->limits->max_size, 10);  // READ
}

TEST(ProfileTest, DefaultDepthIsFour) {
  EXPECT_EQ(g_profile->limits->max_depth, 4);
}

TEST(ProfileTest, SizeCanBeRaised) {
  g_profile->limits->max_size = 99;  // WRITE
  EXPECT_GT(g_profile->limits->max_size, 50);
}
