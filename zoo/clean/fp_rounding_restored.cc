// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The rounding mode is changed and put back.
#include <gtest/gtest.h>

#include <cfenv>
#include <cmath>

volatile double g_half = 2.5;

TEST(Rounding, TiesGoToEven) {
  EXPECT_EQ(std::nearbyint(g_half), 2.0);
}

TEST(Rounding, UpwardCanBeChosen) {
  const int before = std::fegetround();
  std::fesetround(FE_UPWARD);
  EXPECT_EQ(std::nearbyint(g_half), 3.0);
  std::fesetround(before);
}

TEST(Rounding, InexactFlagIsLeftBehind) {
  EXPECT_NEAR(1.0 / (g_half + 0.5), 0.3333, 0.001);
}
