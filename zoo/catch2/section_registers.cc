// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <string>
#include <vector>

#include "catch.h"

namespace {
std::vector<std::string> g_plugins;
}  // namespace

TEST_CASE("no plugin is loaded at the start", "[plugins]") {
  CHECK(g_plugins.empty());  // READ
}

TEST_CASE("plugins can be added", "[plugins][slow]") {
  const auto before = g_plugins.size();
  SECTION("one") {
    g_plugins.push_back("json");  // WRITE
    REQUIRE(g_plugins.size() == before + 1);
    g_plugins.pop_back();
  }
  SECTION("another, which stays") {
    g_plugins.push_back("xml");  // WRITE
    REQUIRE(g_plugins.size() == before + 1);
  }
}

TEST_CASE("names are compared by case", "[plugins]") {
  REQUIRE(std::string("json") != "JSON");
}
