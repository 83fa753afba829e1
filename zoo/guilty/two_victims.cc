// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// One polluter, two victims, which read the state through different functions.
#include <gtest/gtest.h>

double g_rate = 1.0;

double to_euro(double amount) {
  return amount * g_rate;  // READ 1
}

bool is_identity() {
  return g_rate == 1.0;  // READ 2
}

TEST(Currency, AmountIsUnchanged) {
  EXPECT_EQ(to_euro(10), 10);
}

TEST(Currency, RateIsIdentity) {
  EXPECT_TRUE(is_identity());
}

TEST(Currency, RateCanBeSet) {
  g_rate = 0.5;  // WRITE
  EXPECT_EQ(to_euro(10), 5);
}

TEST(Currency, ZeroStaysZero) {
  EXPECT_EQ(to_euro(0), 0);
}
