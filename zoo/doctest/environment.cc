// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// An environment variable set by one test and read by another.
#include <doctest/doctest.h>

#include <cstdlib>
#include <string>

std::string language() {
  const char* value = std::getenv("ZOO_LANGUAGE");  // READ
  return value == nullptr ? "en" : value;
}

TEST_CASE("language: default is English") {
  CHECK(language() == "en");
}

TEST_CASE("language: the environment decides") {
  setenv("ZOO_LANGUAGE", "nl", 1);  // WRITE
  CHECK(language() == "nl");
}

TEST_CASE("language: never empty") {
  CHECK_FALSE(language().empty());
}
