// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "catch.h"

namespace {
int& last_number() {
  static int last = 0;
  return last;
}
int next_number() {
  return ++last_number();  // WRITE
}
}  // namespace

TEST_CASE("no number was given yet") {
  REQUIRE(last_number() == 0);  // READ
}

TEST_CASE("numbers grow") {
  auto steps = GENERATE(1, 2, 3);
  const int first = next_number();
  int number = first;
  for (int i = 0; i < steps; ++i) number = next_number();
  REQUIRE(number == first + steps);
}

TEST_CASE("sums are sums") {
  auto x = GENERATE(1, 5);
  REQUIRE(x + x == 2 * x);
}
