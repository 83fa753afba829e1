// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Calls abort().
#include <gtest/gtest.h>

#include <cstdlib>

TEST(Hostile, Aborts) {
  std::abort();
}

TEST(Harmless, Passes) {
  SUCCEED();
}

TEST(Harmless, StillAdds) {
  EXPECT_EQ(1 + 1, 2);
}
