// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A non-fatal failure in the suite's set-up: the framework skips the suite's tests all the same.
#include <gtest/gtest.h>

class Hostile : public testing::Test {
 protected:
  static void SetUpTestSuite() { ADD_FAILURE() << "the suite is set up badly"; }
};

TEST_F(Hostile, First) {
  SUCCEED();
}

TEST_F(Hostile, Second) {
  SUCCEED();
}

TEST(Harmless, Passes) {
  SUCCEED();
}
