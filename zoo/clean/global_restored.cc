// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Every test writes the global, and the fixture puts it back.
#include <gtest/gtest.h>

int g_balance = 0;

class Account : public testing::Test {
 protected:
  void TearDown() override { g_balance = 0; }
};

TEST_F(Account, StartsEmpty) {
  EXPECT_EQ(g_balance, 0);
}

TEST_F(Account, DepositGrowsBalance) {
  g_balance += 50;
  EXPECT_EQ(g_balance, 50);
}

TEST_F(Account, WithdrawalShrinksBalance) {
  g_balance -= 20;
  EXPECT_EQ(g_balance, -20);
}
