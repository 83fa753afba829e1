// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A test leaves a global changed, and no other test ever reads it.
#include <gtest/gtest.h>

int g_unread = 0;
int g_read = 1;

TEST(State, ReadOneIsOne) {
  EXPECT_EQ(g_read, 1);
}

TEST(State, UnreadOneIsWritten) {
  g_unread = 77;
  EXPECT_EQ(g_unread, 77);
}

TEST(State, SizesAreEqual) {
  EXPECT_EQ(sizeof(g_read), sizeof(g_unread));
}
