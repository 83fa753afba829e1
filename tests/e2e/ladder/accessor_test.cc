// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <gtest/gtest.h>

#include "counter.h"

TEST(CounterTest, StartsAtOne) {
  EXPECT_EQ(count_call(), 1);
}

TEST(CounterTest, Counts) {
  const int first = count_call();
  EXPECT_EQ(count_call(), first + 1);
}
