// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// One test switches the C locale to UTF-8; another counts bytes per character.
#include <gtest/gtest.h>

#include <clocale>
#include <cstdlib>

TEST(CharacterSet, OneBytePerCharacter) {
  EXPECT_EQ(MB_CUR_MAX, 1u);  // READ
}

TEST(CharacterSet, AsciiIsOneByte) {
  EXPECT_EQ(std::mblen("a", 1), 1);
}

TEST(CharacterSet, Utf8CanBeChosen) {
  ASSERT_NE(std::setlocale(LC_ALL, "C.UTF-8"), nullptr);  // WRITE
  EXPECT_GT(MB_CUR_MAX, 1u);
}
