// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The victim fails only when both polluters have run, in either order.
#include <gtest/gtest.h>

int g_oxygen = 0;
int g_fuel = 0;

TEST(Fire, DoesNotBurn) {
  EXPECT_FALSE(g_oxygen > 0 && g_fuel > 0);  // READ
}

TEST(Fire, OxygenCanBeAdded) {
  g_oxygen = 1;  // WRITE 1
  EXPECT_EQ(g_oxygen, 1);
}

TEST(Fire, FuelCanBeAdded) {
  g_fuel = 1;  // WRITE 2
  EXPECT_EQ(g_fuel, 1);
}

TEST(Fire, NothingIsNegative) {
  EXPECT_GE(g_oxygen + g_fuel, 0);
}
