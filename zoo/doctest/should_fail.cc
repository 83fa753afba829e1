// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A test that should fail, and no longer does after another test has relaxed a rule.
#include <doctest/doctest.h>

bool g_strict = true;

bool accepts(int value) {
  return !g_strict || value < 10;  // READ
}

TEST_CASE("large values are refused" * doctest::should_fail()) {
  CHECK(accepts(12));
}

TEST_CASE("small values are accepted") {
  CHECK(accepts(3));
}

TEST_CASE("lenient mode accepts all") {
  g_strict = false;  // WRITE
  CHECK(accepts(12));
}
