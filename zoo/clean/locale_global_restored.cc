// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A global C++ locale that groups digits, put back by a guard.
#include <gtest/gtest.h>

#include <locale>
#include <sstream>
#include <string>

struct GroupByThree : std::numpunct<char> {
  char do_thousands_sep() const override { return '\''; }
  std::string do_grouping() const override { return "\3"; }
};

struct LocaleGuard {
  std::locale before = std::locale::global(std::locale(std::locale(), new GroupByThree));
  ~LocaleGuard() { std::locale::global(before); }
};

std::string format(int number) {
  std::ostringstream out;
  out << number;
  return out.str();
}

TEST(Format, PlainDigits) {
  EXPECT_EQ(format(1234567), "1234567");
}

TEST(Format, GroupsWithLocale) {
  const LocaleGuard guard;
  EXPECT_EQ(format(1234567), "1'234'567");
}

TEST(Format, SmallNumbersNeedNoGroups) {
  EXPECT_EQ(format(12), "12");
}
