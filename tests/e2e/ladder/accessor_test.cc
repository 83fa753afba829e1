// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "counter.h"

#include <gtest/gtest.h>

TEST(CounterTest, StartsAtZero) {
  EXPECT_EQ(call_count(), 0);
}

TEST(CounterTest, Counts) {
  count_call();
  EXPECT_GE(call_count(), 1);
}
