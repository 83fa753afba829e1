// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Never ends.
#include <gtest/gtest.h>
#include <unistd.h>

TEST(Hostile, Hangs) {
  for (;;) pause();
}

TEST(Harmless, Passes) {
  SUCCEED();
}

TEST(Harmless, StillAdds) {
  EXPECT_EQ(1 + 1, 2);
}
