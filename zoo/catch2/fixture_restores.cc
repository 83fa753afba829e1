// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <cstdlib>

#include "catch.h"

namespace {
int g_depth = 0;

/// Puts back what it changed, also when a check fails half way.
struct Deeper {
  Deeper() { ++g_depth; }
  ~Deeper() {
    --g_depth;
    unsetenv("GORDIAN_ZOO_DEPTH");
  }
};
}  // namespace

TEST_CASE("depth is zero outside") {
  REQUIRE(g_depth == 0);
  REQUIRE(std::getenv("GORDIAN_ZOO_DEPTH") == nullptr);
}

TEST_CASE_METHOD(Deeper, "depth is one inside") {
  REQUIRE(setenv("GORDIAN_ZOO_DEPTH", "1", 1) == 0);
  REQUIRE(g_depth == 1);
}

TEST_CASE_METHOD(Deeper, "a check fails inside") {
  CHECK(g_depth == 2);
}
