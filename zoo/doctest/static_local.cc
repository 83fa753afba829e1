// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A function-local static that one test increments; names with quotes and brackets.
#include <doctest/doctest.h>

int& last_ticket() {
  static int last = 0;
  return last;
}

TEST_CASE("no ticket is sold at first") {
  CHECK(last_ticket() == 0);  // READ
}

TEST_CASE("tickets \"grow\" [always]") {
  int before = last_ticket();
  ++last_ticket();  // WRITE
  CHECK(last_ticket() > before);
}

TEST_CASE("tickets are not negative") {
  CHECK(last_ticket() >= 0);
}
