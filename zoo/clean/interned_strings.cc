// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Interned strings: addresses differ from order to order, equality does not.
#include <gtest/gtest.h>

#include <set>
#include <string>

const std::string* intern(const std::string& text) {
  static std::set<std::string> pool;
  return &*pool.insert(text).first;
}

TEST(Intern, SameTextSameAddress) {
  EXPECT_EQ(intern("one"), intern("one"));
}

TEST(Intern, OtherTextOtherAddress) {
  EXPECT_NE(intern("one"), intern("two"));
}

TEST(Intern, TextIsKept) {
  EXPECT_EQ(*intern("three"), "three");
}
