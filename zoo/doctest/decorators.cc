// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Every decorator kept and broken: expected results, not dependences.
#include <doctest/doctest.h>

#include <stdexcept>

TEST_CASE("may fail and does" * doctest::may_fail()) {
  CHECK(1 == 2);
}

TEST_CASE("should fail and does" * doctest::should_fail()) {
  REQUIRE(1 == 2);
}

TEST_CASE("fails exactly twice" * doctest::expected_failures(2)) {
  CHECK(1 == 2);
  CHECK(2 == 3);
}

TEST_CASE("should fail and does not" * doctest::should_fail()) {
  CHECK(1 == 1);
}

TEST_CASE("fails once of two times" * doctest::expected_failures(2)) {
  CHECK(1 == 2);
}

TEST_CASE("is left out" * doctest::skip()) {
  CHECK(1 == 2);
}

TEST_CASE("warns only") {
  WARN(1 == 2);
}

TEST_CASE("throws") {
  throw std::runtime_error("out of cheese");
}

TEST_CASE("says so") {
  FAIL("by its own word");
}
