// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// All tests share a global buffer, and each writes it before it reads it.
#include <gtest/gtest.h>

#include <string>

std::string g_buffer;

std::string upper(const std::string& text) {
  g_buffer.clear();
  for (const char letter : text) g_buffer += static_cast<char>(letter - 'a' + 'A');
  return g_buffer;
}

TEST(Upper, Short) {
  EXPECT_EQ(upper("abc"), "ABC");
}

TEST(Upper, Empty) {
  EXPECT_EQ(upper(""), "");
}

TEST(Upper, Long) {
  EXPECT_EQ(upper(std::string(100, 'x')), std::string(100, 'X'));
}
