// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <vector>

#include "catch.h"

TEST_CASE("a vector that every section gets anew", "[vector]") {
  std::vector<int> v(3);
  SECTION("grows") {
    v.push_back(1);
    REQUIRE(v.size() == 4);
    SECTION("and shrinks") {
      v.clear();
      REQUIRE(v.empty());
    }
  }
  SECTION("is still as it was") {
    REQUIRE(v.size() == 3);
  }
}

TEST_CASE("a vector, again", "[vector]") {
  std::vector<int> v;
  REQUIRE(v.empty());
}
