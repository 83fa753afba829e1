// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Nested subcases that change only what each of them makes anew.
#include <doctest/doctest.h>

#include <vector>

TEST_CASE("a vector in every subcase of its own") {
  std::vector<int> numbers = {1, 2};
  SUBCASE("grows") {
    numbers.push_back(3);
    CHECK(numbers.size() == 3);
    SUBCASE("and shrinks") {
      numbers.pop_back();
      CHECK(numbers.size() == 2);
    }
    SUBCASE("and is cleared") {
      numbers.clear();
      CHECK(numbers.empty());
    }
  }
  SUBCASE("stays") {
    CHECK(numbers.size() == 2);
  }
}

TEST_CASE("another one") {
  std::vector<int> numbers;
  CHECK(numbers.empty());
}
