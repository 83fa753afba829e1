// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The victim relies on the sequence of an unseeded rand(); it also consumes it.
#include <gtest/gtest.h>

#include <cstdlib>

TEST(Dice, FirstThrowIsKnown) {
  EXPECT_EQ(std::rand() % 1000, 383);  // READ
}

TEST(Dice, SeedChangesTheSequence) {
  std::srand(7);
  const int first = std::rand();
  std::srand(7);
  EXPECT_EQ(std::rand(), first);  // WRITE
}

TEST(Dice, HasSixSides) {
  EXPECT_LE(6, RAND_MAX);
}
