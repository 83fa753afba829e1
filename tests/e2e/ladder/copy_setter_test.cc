// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <gtest/gtest.h>

#include <map>
#include <string>

std::map<std::string, int> g_seats;

TEST(Seats, AreSold) {
  g_seats["stalls"] = 40;
  g_seats["gallery"] = 20;
  EXPECT_EQ(g_seats.size(), 2u);
}

TEST(Seats, CanBeTaken) {
  EXPECT_EQ(g_seats["stalls"], 40);
}
