// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A test that leans on one instance of a templated test for its set-up.
#include <doctest/doctest.h>

#include <map>
#include <string>

std::map<std::string, int> g_sizes;

TEST_CASE_TEMPLATE("sizes are registered", T, char, int) {
  g_sizes[sizeof(T) == 1 ? "small" : "large"] = static_cast<int>(sizeof(T));  // WRITE
  CHECK(!g_sizes.empty());
}

TEST_CASE("the small size is known") {
  REQUIRE(g_sizes.count("small") == 1);  // READ
}

TEST_CASE("no size is negative") {
  for (const auto& entry : g_sizes) CHECK(entry.second > 0);
}
