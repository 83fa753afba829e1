// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A third test happens to undo what the polluter did.
#include <gtest/gtest.h>

int g_mode = 0;

TEST(Printer, StartsInTextMode) {
  EXPECT_EQ(g_mode, 0);  // READ
}

TEST(Printer, GraphicsModeWorks) {
  g_mode = 9;  // WRITE
  EXPECT_EQ(g_mode, 9);
}

TEST(Printer, ResetReturnsToText) {
  g_mode = 0;
  EXPECT_EQ(g_mode, 0);
}

TEST(Printer, ModeIsSmall) {
  EXPECT_LT(g_mode, 10);
}
