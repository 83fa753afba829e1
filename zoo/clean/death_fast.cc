// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Death tests of the fast style: the child's writes never reach the parent.
#include <gtest/gtest.h>

#include <cstdlib>

int g_damage = 0;

[[noreturn]] void self_destruct() {
  g_damage = 100;
  std::abort();
}

TEST(RobotDeathTest, SelfDestructs) {
  EXPECT_DEATH(self_destruct(), "");
}

TEST(RobotDeathTest, ExitsCleanly) {
  EXPECT_EXIT(std::exit(3), testing::ExitedWithCode(3), "");
}

TEST(Robot, IsUndamaged) {
  EXPECT_EQ(g_damage, 0);
}

TEST(Robot, CanBeRepaired) {
  g_damage = 0;
  EXPECT_EQ(g_damage, 0);
}
