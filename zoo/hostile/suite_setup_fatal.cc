// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A fatal failure in the suite's set-up: the framework skips the suite's tests.
#include <gtest/gtest.h>

class Hostile : public testing::Test {
 protected:
  static void SetUpTestSuite() { FAIL() << "the suite cannot be set up"; }
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
