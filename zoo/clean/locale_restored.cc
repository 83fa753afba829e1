// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The C locale is changed and put back by name.
#include <gtest/gtest.h>

#include <clocale>
#include <cstdlib>
#include <string>

TEST(CharacterSet, OneBytePerCharacter) {
  EXPECT_EQ(MB_CUR_MAX, 1u);
}

TEST(CharacterSet, Utf8CanBeChosen) {
  const std::string before = std::setlocale(LC_ALL, nullptr);
  ASSERT_NE(std::setlocale(LC_ALL, "C.UTF-8"), nullptr);
  EXPECT_GT(MB_CUR_MAX, 1u);
  std::setlocale(LC_ALL, before.c_str());
}

TEST(CharacterSet, NameIsC) {
  EXPECT_STREQ(std::setlocale(LC_CTYPE, nullptr), "C");
}
