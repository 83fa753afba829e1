// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <cstdlib>
#include <string>

#include "catch.h"

namespace {
std::string level() {
  const char* value = std::getenv("GORDIAN_ZOO_LEVEL");  // READ
  return value == nullptr ? "info" : value;
}
}  // namespace

TEST_CASE("level: info unless told otherwise", "[config]") {
  REQUIRE(level() == "info");
}

TEST_CASE("level: \"trace\", from the environment", "[config][env]") {
  REQUIRE(setenv("GORDIAN_ZOO_LEVEL", "trace", 1) == 0);  // WRITE
  REQUIRE(level() == "trace");
}

TEST_CASE("level: never empty", "[config]") {
  REQUIRE_FALSE(level().empty());
}
