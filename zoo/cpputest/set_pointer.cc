// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A function pointer is faked by UT_PTR_SET, which a plugin of the framework undoes.
#include <CppUTest/TestHarness.h>
#include <CppUTest/TestPlugin.h>

static int real_clock() {
  return 42;
}
static int fake_clock() {
  return 7;
}
static int (*g_clock)() = real_clock;

TEST_GROUP(Clock){};

TEST(Clock, TellsTheTime) {
  LONGS_EQUAL(42, g_clock());
}

TEST(Clock, CanBeFaked) {
  UT_PTR_SET(g_clock, fake_clock);
  LONGS_EQUAL(7, g_clock());
}
