// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <string>

#include "catch.h"

TEST_CASE("a table of powers") {
  auto exponent = GENERATE(0, 1, 2, 8);
  int power = 1;
  for (int i = 0; i < exponent; ++i) power *= 2;
  REQUIRE(power == 1 << exponent);
}

TEST_CASE("pairs of words") {
  auto first = GENERATE(as<std::string>{}, "a", "bc");
  auto second = GENERATE(as<std::string>{}, "", "d");
  REQUIRE((first + second).size() == first.size() + second.size());
}

TEMPLATE_TEST_CASE("numbers begin at zero", "[types]", int, long, double) {
  REQUIRE(TestType() == TestType(0));
}
