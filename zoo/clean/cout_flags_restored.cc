// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Formatting flags of std::cout are saved and restored.
#include <gtest/gtest.h>

#include <iostream>
#include <sstream>
#include <string>

std::string as_printed(int number) {
  std::ostringstream out;
  out.copyfmt(std::cout);
  out << number;
  return out.str();
}

TEST(Output, IsDecimal) {
  EXPECT_EQ(as_printed(255), "255");
}

TEST(Output, HexCanBeChosen) {
  const std::ios_base::fmtflags before = std::cout.flags();
  std::cout << std::hex;
  EXPECT_EQ(as_printed(255), "ff");
  std::cout.flags(before);
}

TEST(Output, NegativeHasASign) {
  EXPECT_EQ(as_printed(-1), "-1");
}
