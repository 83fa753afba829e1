// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A plain global integer: one test deposits and never takes it back.
#include <gtest/gtest.h>

int g_balance = 0;

bool accepts(int amount) {
  return amount > 0;
}

TEST(Account, StartsEmpty) {
  EXPECT_EQ(g_balance, 0);  // READ
}

TEST(Account, DepositGrowsBalance) {
  const int before = g_balance;
  g_balance = 50;  // WRITE
  EXPECT_GE(g_balance, before);
}

TEST(Account, RejectsNegativeAmount) {
  EXPECT_FALSE(accepts(-1));
}

TEST(Account, AcceptsPositiveAmount) {
  EXPECT_TRUE(accepts(1));
}
