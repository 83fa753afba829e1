// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Tests that the framework counts otherwise than their checks say, and names that need care.
#include <stdexcept>

#include "catch.h"

TEST_CASE("fails as it should", "[!shouldfail]") {
  REQUIRE(1 == 2);
}
TEST_CASE("should fail, and does not", "[!shouldfail]") {
  REQUIRE(1 == 1);
}
TEST_CASE("may fail, and does", "[!mayfail]") {
  CHECK(1 == 2);
}
TEST_CASE("throws: an 'unexpected' exception, #1") {
  throw std::runtime_error("not for us");
}
TEST_CASE("fails - \"by hand\" [not a tag]") {
  FAIL("because of " << 7);
}
TEST_CASE("is hidden", "[.][later]") {
  REQUIRE(true);
}
