// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <doctest/doctest.h>

int next_ticket() {
  static int last = 0;
  return ++last;  // WRITE
}

TEST_CASE("the first ticket is number one") {
  CHECK(next_ticket() == 1);  // READ
}

TEST_CASE("tickets \"grow\" [always]") {
  int first = next_ticket();
  CHECK(next_ticket() > first);
}

TEST_CASE("nothing is sold here") { CHECK(true); }
