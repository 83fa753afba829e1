// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Flags of the framework changed in a test: the framework itself restores them after each test.
#include <gtest/gtest.h>

TEST(Flags, StackDepthIsDefault) {
  EXPECT_EQ(GTEST_FLAG_GET(stack_trace_depth), 100);
}

TEST(Flags, StackDepthCanBeChanged) {
  GTEST_FLAG_SET(stack_trace_depth, 5);
  EXPECT_EQ(GTEST_FLAG_GET(stack_trace_depth), 5);
}

TEST(Flags, DeathStyleIsDefault) {
  EXPECT_EQ(GTEST_FLAG_GET(death_test_style), "fast");
}

TEST(Flags, DeathStyleCanBeChanged) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EQ(GTEST_FLAG_GET(death_test_style), "threadsafe");
}
