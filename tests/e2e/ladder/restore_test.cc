// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <gtest/gtest.h>

int g_retries = 3;

TEST(Retries, AreThree) {
  EXPECT_EQ(g_retries, 3);
}

TEST(Retries, CanBeSwitchedOff) {
  g_retries = 0;
  EXPECT_EQ(g_retries, 0);
}
