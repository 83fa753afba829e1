// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Kills whoever started it.
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

TEST(Hostile, KillsParent) {
  if (getppid() > 1) kill(getppid(), SIGKILL);
  SUCCEED();
}

TEST(Harmless, Passes) {
  SUCCEED();
}

TEST(Harmless, StillAdds) {
  EXPECT_EQ(1 + 1, 2);
}
