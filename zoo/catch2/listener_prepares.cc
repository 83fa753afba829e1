// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Global set-up by a listener: before the first test, and so before what Gordian calls the start.
#include <string>

#include "catch.h"

namespace {
std::string g_prepared;
}  // namespace

#if __has_include(<catch2/catch_test_macros.hpp>)
struct Prepares : Catch::EventListenerBase {
  using EventListenerBase::EventListenerBase;
  void testRunStarting(Catch::TestRunInfo const&) override { g_prepared = "run"; }
};
#else
struct Prepares : Catch::TestEventListenerBase {
  using TestEventListenerBase::TestEventListenerBase;
  void testRunStarting(Catch::TestRunInfo const&) override { g_prepared = "run"; }
};
#endif
CATCH_REGISTER_LISTENER(Prepares)

TEST_CASE("the run was prepared") {
  REQUIRE(g_prepared == "run");
}

TEST_CASE("it still is") {
  CHECK(g_prepared.size() == 3);
}
