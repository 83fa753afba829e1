// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A disabled test and a disabled suite would pollute, if they ever ran.
#include <gtest/gtest.h>

int g_state = 0;

TEST(Enabled, StateIsZero) {
  EXPECT_EQ(g_state, 0);
}

TEST(Enabled, DISABLED_WritesState) {
  g_state = 1;
  EXPECT_EQ(g_state, 1);
}

TEST(DISABLED_Suite, WritesState) {
  g_state = 2;
  EXPECT_EQ(g_state, 2);
}

TEST(Enabled, StateIsStillZero) {
  EXPECT_EQ(g_state, 0);
}
