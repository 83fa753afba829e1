// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// One test installs a global C++ locale which groups digits.
#include <gtest/gtest.h>

#include <locale>
#include <sstream>
#include <string>

struct GroupByThree : std::numpunct<char> {
  char do_thousands_sep() const override { return '\''; }
  std::string do_grouping() const override { return "\3"; }
};

std::string format(int number) {
  std::ostringstream out;  // READ
  out << number;
  return out.str();
}

TEST(Format, PlainDigits) {
  EXPECT_EQ(format(1234567), "1234567");
}

TEST(Format, SmallNumbersNeedNoGroups) {
  EXPECT_EQ(format(12), "12");
}

TEST(Format, GroupsWithLocale) {
  std::locale::global(std::locale(std::locale::classic(), new GroupByThree));  // WRITE
  EXPECT_EQ(format(1000), "1'000");
}
