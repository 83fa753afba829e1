// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A test in the middle crashes in every order; those after it are not run, which is no dependence.
#include <gtest/gtest.h>

#include <cstdlib>

TEST(Rocket, HasFuel) {
  SUCCEED();
}

TEST(Rocket, Explodes) {
  std::abort();
}

TEST(Rocket, HasCrew) {
  EXPECT_GT(3, 0);
}

TEST(Rocket, HasWindows) {
  EXPECT_NE(4, 0);
}
