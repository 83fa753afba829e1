// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Writes 20 MB to the standard output.
#include <gtest/gtest.h>

#include <cstdio>
#include <string>

TEST(Hostile, FloodsOutput) {
  const std::string line(1023, 'x');
  for (int i = 0; i < 20 * 1024; ++i) std::puts(line.c_str());
  SUCCEED();
}

TEST(Harmless, Passes) {
  SUCCEED();
}

TEST(Harmless, PrintsLittle) {
  std::puts("a word");
  SUCCEED();
}
