// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Tests that one macro makes on one line, which the framework's sort cannot tell apart.
#include <doctest/doctest.h>

int g_switch = 0;

void turn_on() {
  g_switch = 1;  // WRITE
}
int current() {
  return g_switch;  // READ
}

// clang-format off
#define SWITCH_TESTS(what)                                    \
  TEST_CASE(what ": is off") { CHECK(current() == 0); }       \
  TEST_CASE(what ": turns on") { turn_on(); CHECK(true); }    \
  TEST_CASE(what ": waits") { CHECK(true); }
// clang-format on

SWITCH_TESTS("light")
