// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A lookup table that is built by the first test to need it.
#include <gtest/gtest.h>

#include <array>

std::array<int, 16>* g_squares = nullptr;

int square(int n) {
  if (g_squares == nullptr) {
    g_squares = new std::array<int, 16>;
    for (int i = 0; i < 16; ++i) (*g_squares)[i] = i * i;
  }
  return g_squares->at(n);
}

TEST(Square, OfZero) {
  EXPECT_EQ(square(0), 0);
}

TEST(Square, OfFive) {
  EXPECT_EQ(square(5), 25);
}

TEST(Square, OutOfRange) {
  EXPECT_ANY_THROW(square(16));
}
