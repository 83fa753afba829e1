// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A global std::string that one test replaces.
#include <gtest/gtest.h>

#include <string>

std::string g_prefix = "log: ";

std::string line(const std::string& text) {
  return g_prefix + text;  // READ
}

TEST(Logger, UsesDefaultPrefix) {
  EXPECT_EQ(line("up"), "log: up");
}

TEST(Logger, PrefixCanBeReplaced) {
  g_prefix = "a much longer prefix than any small buffer holds: ";  // WRITE
  EXPECT_NE(g_prefix.find("longer"), std::string::npos);
}

TEST(Logger, TextIsKept) {
  EXPECT_NE(line("text").find("text"), std::string::npos);
}
