// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "catch.h"

namespace {
struct Pool {
  static int free_slots;
  int taken = 0;
  bool take() {
    if (free_slots == 0) return false;
    --free_slots;  // WRITE
    ++taken;
    return true;
  }
};
int Pool::free_slots = 2;
}  // namespace

TEST_CASE_METHOD(Pool, "a slot can be taken", "[pool]") {
  REQUIRE(free_slots > 0);  // READ
}

TEST_CASE_METHOD(Pool, "the pool can be used up", "[pool]") {
  while (take()) {
  }
  REQUIRE(free_slots == 0);
}

TEST_CASE_METHOD(Pool, "a new user holds nothing", "[pool]") {
  REQUIRE(taken == 0);
}
