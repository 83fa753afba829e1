// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// One element of a global array carries the dependence; the test that writes its neighbour does
// not.
#include <gtest/gtest.h>

int g_seats[8] = {};

TEST(Seats, FourthIsFree) {
  EXPECT_EQ(g_seats[3], 0);  // READ
}

TEST(Seats, FourthCanBeTaken) {
  g_seats[3] = 17;  // WRITE
  EXPECT_EQ(g_seats[3], 17);
}

TEST(Seats, FifthCanBeTaken) {
  g_seats[4] = 18;
  EXPECT_EQ(g_seats[4], 18);
}
