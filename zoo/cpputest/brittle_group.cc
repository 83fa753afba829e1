// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A test that leans on another one of its group to connect first.
#include <CppUTest/TestHarness.h>

static bool g_connected = false;

TEST_GROUP(Link){};

TEST(Link, SendsWhenConnected) {
  CHECK_TRUE(g_connected);  // READ
}

TEST(Link, HasNoErrors) {
  CHECK(true);
}

TEST(Link, Connects) {
  g_connected = true;  // WRITE
  CHECK_TRUE(g_connected);
}
