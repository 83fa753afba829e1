// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A function pointer that one test replaces by a fake.
#include <CppUTest/TestHarness.h>

static int real_clock() {
  return 42;
}
static int fake_clock() {
  return 7;
}
static int (*g_clock)() = real_clock;

TEST_GROUP(Clock){};

TEST(Clock, CanBeFaked) {
  g_clock = fake_clock;  // WRITE
  LONGS_EQUAL(7, g_clock());
}

TEST(Clock, IsPositive) {
  CHECK(g_clock() > 0);
}

TEST(Clock, TellsTheTime) {
  LONGS_EQUAL(42, g_clock());  // READ
}
