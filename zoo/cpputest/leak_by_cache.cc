// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A lazy table: the leak detector blames the test that makes it, unless another one did.
#include <CppUTest/TestHarness.h>

static int* g_table = nullptr;

// Whoever needs it first makes it, and is held to account for the memory by the leak detector.
static int lookup(int i) {
  if (g_table == nullptr) {            // READ
    g_table = new int[4]{1, 2, 4, 8};  // WRITE
  }
  return g_table[i];
}

TEST_GROUP(Table){};

TEST(Table, KnowsTwo) {
  LONGS_EQUAL(2, lookup(1));
}

TEST(Table, MadeOnPurpose) {
  EXPECT_N_LEAKS(g_table == nullptr ? 1 : 0);
  LONGS_EQUAL(1, lookup(0));
}

TEST(Table, IsNotNeeded) {
  CHECK(true);
}
