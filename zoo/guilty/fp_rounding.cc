// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// One test leaves the floating-point unit rounding upwards.
#include <gtest/gtest.h>

#include <cfenv>
#include <cmath>

volatile double g_half = 2.5;

TEST(Rounding, TiesGoToEven) {
  EXPECT_EQ(std::nearbyint(g_half), 2.0);  // READ
}

TEST(Rounding, UpwardCanBeChosen) {
  std::fesetround(FE_UPWARD);  // WRITE
  EXPECT_EQ(std::nearbyint(g_half), 3.0);
}

TEST(Rounding, FloorIgnoresTheMode) {
  EXPECT_EQ(std::floor(g_half), 2.0);
}
