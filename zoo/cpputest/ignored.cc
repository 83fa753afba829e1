// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// An ignored test, which would fail if it ran.
#include <CppUTest/TestHarness.h>

TEST_GROUP(Plan){};

TEST(Plan, IsMade) {
  CHECK(true);
}

IGNORE_TEST(Plan, IsKept) {
  FAIL("nobody did");
}

TEST(Plan, IsRead) {
  CHECK(true);
}
