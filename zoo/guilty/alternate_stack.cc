// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// An alternate signal stack is left installed.
#include <gtest/gtest.h>
#include <signal.h>

char g_stack[65536];

TEST(AlternateStack, IsNotInUse) {
  stack_t now{};
  ASSERT_EQ(sigaltstack(nullptr, &now), 0);  // READ
  EXPECT_EQ(now.ss_flags, SS_DISABLE);
}

TEST(AlternateStack, MinimumIsPositive) {
  EXPECT_GT(MINSIGSTKSZ, 0);
}

TEST(AlternateStack, CanBeInstalled) {
  stack_t own{};
  own.ss_sp = g_stack;
  own.ss_size = sizeof g_stack;
  ASSERT_EQ(sigaltstack(&own, nullptr), 0);  // WRITE
  stack_t now{};
  ASSERT_EQ(sigaltstack(nullptr, &now), 0);
  EXPECT_EQ(now.ss_sp, g_stack);
}
