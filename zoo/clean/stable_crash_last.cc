// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The last test crashes in every order: an expected result, not a dependence.
#include <gtest/gtest.h>

int* g_nowhere = nullptr;

TEST(Pointer, IsNull) {
  EXPECT_EQ(g_nowhere, nullptr);
}

TEST(Pointer, HasSize) {
  EXPECT_EQ(sizeof(g_nowhere), sizeof(void*));
}

TEST(Pointer, IsFollowed) {
  volatile int* nowhere = g_nowhere;
  *nowhere = 1;
}
