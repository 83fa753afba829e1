// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Set-up and tear-down of a group bring a global back.
#include <CppUTest/TestHarness.h>

static int g_items = 0;

// clang-format off
TEST_GROUP(Basket) {
  void setup() override { g_items = 1; }
  void teardown() override { g_items = 0; }
};
// clang-format on
TEST_GROUP(Till){};

TEST(Till, IsEmpty) {
  LONGS_EQUAL(0, g_items);
}

TEST(Basket, TakesMore) {
  g_items += 5;
  LONGS_EQUAL(6, g_items);
}

TEST(Basket, StartsWithOne) {
  LONGS_EQUAL(1, g_items);
}
