// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A test that leaks memory fails in every order by the framework's leak detector.
#include <CppUTest/TestHarness.h>

static int* g_kept;

TEST_GROUP(Memory){};

TEST(Memory, IsGivenBack) {
  int* one = new int(1);
  LONGS_EQUAL(1, *one);
  delete one;
}

// The framework's leak detector makes this a failure, every time.
TEST(Memory, IsKept) {
  g_kept = new int(2);
  LONGS_EQUAL(2, *g_kept);
}
