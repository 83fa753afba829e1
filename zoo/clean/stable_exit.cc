// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The last test ends the process in every order.
#include <gtest/gtest.h>

#include <cstdlib>

TEST(Program, Starts) {
  SUCCEED();
}

TEST(Program, Works) {
  EXPECT_EQ(2 * 3, 6);
}

TEST(Program, Ends) {
  std::exit(2);
}
