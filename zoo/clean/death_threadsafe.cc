// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Death tests of the threadsafe style run the binary anew.
#include <gtest/gtest.h>

#include <cstdlib>

int g_damage = 0;

class RobotDeathTest : public testing::Test {
 protected:
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

[[noreturn]] void self_destruct() {
  g_damage = 100;
  std::abort();
}

TEST_F(RobotDeathTest, SelfDestructs) {
  EXPECT_DEATH(self_destruct(), "");
}

TEST(Robot, IsUndamaged) {
  EXPECT_EQ(g_damage, 0);
}

TEST(Robot, StyleIsRestored) {
  EXPECT_EQ(GTEST_FLAG_GET(death_test_style), "fast");
}
