// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <gtest/gtest.h>

void raise_level();
int level();

TEST(Level, Raises) {
  raise_level();
}

TEST(Level, Looks) {
  EXPECT_GE(level(), 0);
}
