// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// One test leaves std::cout printing hexadecimal numbers.
#include <gtest/gtest.h>

#include <iostream>
#include <sstream>
#include <string>

std::string as_printed(int number) {
  std::ostringstream out;
  out.copyfmt(std::cout);  // READ
  out << number;
  return out.str();
}

TEST(Output, IsDecimal) {
  EXPECT_EQ(as_printed(255), "255");
}

TEST(Output, SmallNumbersLookAlike) {
  EXPECT_EQ(as_printed(7), "7");
}

TEST(Output, HexCanBeChosen) {
  std::cout << std::hex;  // WRITE
  EXPECT_EQ(as_printed(255), "ff");
}
