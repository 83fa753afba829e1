// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <gtest/gtest.h>

#include <string>

std::string g_prefix = "log: ";

TEST(Prefix, IsShort) {
  EXPECT_EQ(g_prefix, "log: ");
}

TEST(Prefix, CanBeReplaced) {
  g_prefix = "warning: ";
  EXPECT_EQ(g_prefix, "warning: ");
}
