// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A memo that forgets one of its inputs: whoever asks second gets the first one's answer.
#include <gtest/gtest.h>

#include <map>

int g_tax = 0;
std::map<int, int> g_prices;

int price(int item) {
  const auto [entry, fresh] = g_prices.try_emplace(item, item * 10 + g_tax);  // WRITE READ
  return entry->second;
}

TEST(Price, WithoutTax) {
  g_tax = 0;
  EXPECT_EQ(price(3), 30);
}

TEST(Price, WithTax) {
  g_tax = 5;
  EXPECT_EQ(price(3), 35);
}

TEST(Price, OtherItemsAreNotAffected) {
  g_tax = 0;
  EXPECT_EQ(price(4), 40);
}
