// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Tests that skip themselves, in the body and in the set-up.
#include <gtest/gtest.h>

class NeedsHardware : public testing::Test {
 protected:
  void SetUp() override { GTEST_SKIP() << "no such device"; }
};

TEST_F(NeedsHardware, Blinks) {
  FAIL() << "never reached";
}

TEST(Software, SkipsHalfway) {
  EXPECT_TRUE(true);
  GTEST_SKIP();
}

TEST(Software, Runs) {
  SUCCEED();
}
