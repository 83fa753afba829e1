// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// One test moves a global's content away.
#include <gtest/gtest.h>

#include <memory>
#include <utility>

std::unique_ptr<int> g_token = std::make_unique<int>(5);

TEST(Token, IsThere) {
  EXPECT_NE(g_token, nullptr);  // READ
}

TEST(Token, CanBeTaken) {
  const std::unique_ptr<int> taken = std::move(g_token);  // WRITE
  EXPECT_EQ(g_token, nullptr);
}

TEST(Token, PointerIsOneWord) {
  EXPECT_EQ(sizeof(g_token), sizeof(void*));
}
