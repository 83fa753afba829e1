// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Calls exit(3) in the middle of a test.
#include <gtest/gtest.h>

#include <cstdlib>

TEST(Hostile, ExitsWithThree) {
  std::exit(3);
}

TEST(Harmless, Passes) {
  SUCCEED();
}

TEST(Harmless, StillAdds) {
  EXPECT_EQ(1 + 1, 2);
}
