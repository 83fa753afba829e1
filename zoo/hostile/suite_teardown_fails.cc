// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A failure in the suite's tear-down, when all of its tests have passed.
#include <gtest/gtest.h>

class Hostile : public testing::Test {
 protected:
  static void TearDownTestSuite() { FAIL() << "the suite cannot be torn down"; }
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
