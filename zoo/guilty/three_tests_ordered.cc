// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The victim fails only after two others in one particular order: arm, then fire.
#include <gtest/gtest.h>

bool g_armed = false;
int g_holes = 0;

void fire() {
  if (g_armed) g_holes = 1;  // WRITE 2
}

TEST(Target, IsIntact) {
  EXPECT_EQ(g_holes, 0);  // READ
}

TEST(Target, FireIsSafe) {
  EXPECT_NO_FATAL_FAILURE(fire());
}

TEST(Target, CanBeArmed) {
  g_armed = true;  // WRITE 1
  EXPECT_TRUE(g_armed);
}

TEST(Target, HolesAreNeverNegative) {
  EXPECT_GE(g_holes, 0);
}
