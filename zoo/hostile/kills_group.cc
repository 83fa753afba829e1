// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Sends SIGTERM to its whole process group, itself included.
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

TEST(Hostile, KillsGroup) {
  kill(0, SIGTERM);
  pause();
}

TEST(Harmless, Passes) {
  SUCCEED();
}

TEST(Harmless, StillAdds) {
  EXPECT_EQ(1 + 1, 2);
}
