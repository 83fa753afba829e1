// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

static std::string mode() {
  const char* mode = std::getenv("SHOP_MODE");
  return mode == nullptr ? "plain" : mode;
}

TEST(Mode, IsPlain) {
  EXPECT_EQ(mode(), "plain");
}

TEST(Mode, CanBeSet) {
  ::setenv("SHOP_MODE", "festive", 1);
  EXPECT_EQ(mode(), "festive");
}
