// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A counter that one test of a group increments and another expects at zero.
#include <CppUTest/TestHarness.h>

static int g_sessions = 0;

static void log_in() {
  ++g_sessions;  // WRITE
}

// clang-format off
TEST_GROUP(Session) {
  int limit = 0;
  void setup() override { limit = 100; }
};
// clang-format on

// The framework runs the tests of a file from its end to its beginning.
TEST(Session, LogsIn) {
  log_in();
  CHECK(g_sessions > 0);
}

TEST(Session, CountIsSmall) {
  CHECK(g_sessions < limit);
}

TEST(Session, NobodyIsLoggedIn) {
  LONGS_EQUAL(0, g_sessions);  // READ
}
