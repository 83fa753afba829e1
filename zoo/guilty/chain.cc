// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The first sets state for a brittle second, which then pollutes a third.
#include <gtest/gtest.h>

bool g_connected = false;
int g_sent = 0;

TEST(Mail, NothingSentAtFirst) {
  EXPECT_EQ(g_sent, 0);  // READ 2
}

TEST(Mail, Connects) {
  g_connected = true;  // WRITE 1
  EXPECT_TRUE(g_connected);
}

TEST(Mail, Sends) {
  ASSERT_TRUE(g_connected);  // READ 1
  g_sent = 1;                // WRITE 2
  EXPECT_EQ(g_sent, 1);
}

TEST(Mail, SentIsNeverNegative) {
  EXPECT_GE(g_sent, 0);
}
