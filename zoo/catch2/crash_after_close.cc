// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <memory>
#include <string>

#include "catch.h"

namespace {
std::unique_ptr<std::string> g_session(new std::string("open"));
}  // namespace

TEST_CASE("the session answers", "[session]") {
  REQUIRE(g_session->size() == 4);  // READ
}

TEST_CASE("the session can be closed", "[session]") {
  g_session.reset();  // WRITE
  REQUIRE_FALSE(g_session);
}

TEST_CASE("words have lengths") {
  REQUIRE(std::string("open").size() == 4);
}
