// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The user's main() gives up before the framework is even started.
#include <gtest/gtest.h>

#include <cstdio>

TEST(Harmless, First) {
  SUCCEED();
}

TEST(Harmless, Second) {
  SUCCEED();
}

int main() {
  std::fprintf(stderr, "no licence found\n");
  return 5;
}
