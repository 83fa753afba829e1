// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The last test crashes in every order, through the framework's own signal handler.
#include <doctest/doctest.h>

#include <cstdlib>

TEST_CASE("before the crash") {
  CHECK(true);
}

TEST_CASE("aborts") {
  std::abort();
}
