// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Global set-up by a listener: before the first test, and so before what Gordian calls the start.
#include <string>

#include "catch.h"

namespace {
std::string g_prepared;
}  // namespace

#ifdef GORDIAN_ZOO_CATCH2_3
using ListenerBase = Catch::EventListenerBase;
#else
using ListenerBase = Catch::TestEventListenerBase;
#endif

struct Prepares : ListenerBase {
  using ListenerBase::ListenerBase;
  void testRunStarting(Catch::TestRunInfo const&) override { g_prepared = "run"; }
};
CATCH_REGISTER_LISTENER(Prepares)

TEST_CASE("the run was prepared") {
  REQUIRE(g_prepared == "run");
}

TEST_CASE("it still is") {
  CHECK(g_prepared.size() == 3);
}
