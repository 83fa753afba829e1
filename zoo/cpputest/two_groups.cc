// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A test of one group changes a mode that a test of another group reads.
#include <CppUTest/TestHarness.h>

static const char* g_mode = "idle";

TEST_GROUP(Motor){};
TEST_GROUP(Lamp){};

TEST(Motor, Starts) {
  g_mode = "running";  // WRITE
  STRCMP_EQUAL("running", g_mode);
}

TEST(Motor, Stands) {
  CHECK(true);
}

TEST(Lamp, HasAMode) {
  CHECK(g_mode != nullptr);
}

TEST(Lamp, IsDarkWhenIdle) {
  STRCMP_EQUAL("idle", g_mode);  // READ
}
