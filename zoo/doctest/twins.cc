// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Two tests of one name.
#include <doctest/doctest.h>

// One name may be used twice: the second is listed as "twin#2".
TEST_CASE("twin") {
  CHECK(1 == 1);
}

TEST_CASE("twin") {
  CHECK(2 == 2);
}

TEST_CASE("single") {
  CHECK(3 == 3);
}
