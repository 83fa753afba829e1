// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The result depends on the machine's entropy; two tests of the three are concerned.
#include <gtest/gtest.h>

#include <random>

unsigned draw() {
  std::random_device device;
  return device();
}

TEST(Random, FirstBitIsZero) {
  EXPECT_EQ(draw() & 1u, 0u);
}

TEST(Random, SecondBitIsZero) {
  EXPECT_EQ(draw() & 2u, 0u);
}

TEST(Random, EngineIsReproducible) {
  EXPECT_EQ(std::mt19937(7)(), std::mt19937(7)());
}
