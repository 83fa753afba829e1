// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A test fails by an exception in every order; its objects are taken down.
#include <doctest/doctest.h>

#include <stdexcept>

int g_depth = 0;

struct Step {
  Step() { ++g_depth; }
  ~Step() { --g_depth; }
};

void fall() {
  Step step;
  throw std::logic_error("down");
}

TEST_CASE("falling throws") {
  CHECK_THROWS_AS(fall(), std::logic_error);
}

TEST_CASE("falling without a net") {
  Step step;
  fall();
}

TEST_CASE("everybody is on the ground") {
  CHECK(g_depth == 0);
}
