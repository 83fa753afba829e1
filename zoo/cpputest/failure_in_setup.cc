// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Set-up of a group fails: its tests fail in every order.
#include <CppUTest/TestHarness.h>

// clang-format off
TEST_GROUP(Broken) {
  void setup() override { FAIL("no power"); }
};
// clang-format on
TEST_GROUP(Sound){};

TEST(Sound, Works) {
  CHECK(true);
}

TEST(Broken, NeverRuns) {
  CHECK(true);
}
