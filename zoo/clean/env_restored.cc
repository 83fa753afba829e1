// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// An environment variable is set, used and unset again.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

std::string mode() {
  const char* value = std::getenv("GORDIAN_ZOO_CLEAN_MODE");
  return value == nullptr ? "normal" : value;
}

TEST(Mode, IsNormalByDefault) {
  EXPECT_EQ(mode(), "normal");
}

TEST(Mode, FollowsTheEnvironment) {
  setenv("GORDIAN_ZOO_CLEAN_MODE", "fast", 1);
  EXPECT_EQ(mode(), "fast");
  unsetenv("GORDIAN_ZOO_CLEAN_MODE");
}

TEST(Mode, EmptyIsAValue) {
  setenv("GORDIAN_ZOO_CLEAN_MODE", "", 1);
  EXPECT_EQ(mode(), "");
  unsetenv("GORDIAN_ZOO_CLEAN_MODE");
}
