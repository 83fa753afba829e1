// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Ends the process with status zero in the middle of a test, past all exit handlers.
#include <gtest/gtest.h>
#include <unistd.h>

TEST(Hostile, ExitsWithZero) {
  _exit(0);
}

TEST(Harmless, Passes) {
  SUCCEED();
}

TEST(Harmless, StillAdds) {
  EXPECT_EQ(1 + 1, 2);
}
