// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// An environment variable set by one test and read by another.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

std::string mode() {
  const char* value = std::getenv("GORDIAN_ZOO_MODE");  // READ
  return value == nullptr ? "normal" : value;
}

TEST(Mode, IsNormalByDefault) {
  EXPECT_EQ(mode(), "normal");
}

TEST(Mode, IsNeverEmpty) {
  EXPECT_FALSE(mode().empty());
}

TEST(Mode, FollowsTheEnvironment) {
  setenv("GORDIAN_ZOO_MODE", "fast", 1);  // WRITE
  EXPECT_EQ(mode(), "fast");
}
