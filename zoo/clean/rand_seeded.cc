// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Every test seeds rand() itself.
#include <gtest/gtest.h>

#include <cstdlib>

class Dice : public testing::Test {
 protected:
  void SetUp() override { std::srand(7); }
  int first_ = (std::srand(7), std::rand());
};

TEST_F(Dice, SameSeedSameThrow) {
  EXPECT_EQ(std::rand(), first_);
}

TEST_F(Dice, SecondThrowDiffers) {
  std::rand();
  EXPECT_NE(std::rand(), first_);
}

TEST_F(Dice, SeedCanBeChanged) {
  std::srand(8);
  EXPECT_NE(std::rand(), first_);
}
