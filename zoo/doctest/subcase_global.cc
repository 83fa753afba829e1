// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// One subcase of a test turns a global integer up; another test reads it.
#include <doctest/doctest.h>

int g_volume = 5;

void set_volume(int value) {
  g_volume = value;  // WRITE
}

TEST_SUITE("player") {
  TEST_CASE("starts at half volume") {
    CHECK(g_volume == 5);  // READ
  }

  TEST_CASE("volume, as the user sees it") {
    SUBCASE("can be read") {
      CHECK(g_volume >= 0);
    }
    SUBCASE("can be turned up") {
      set_volume(11);
      CHECK(g_volume == 11);
    }
  }

  TEST_CASE("is never negative") {
    CHECK(g_volume >= 0);
  }
}
