// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Stops its own process, as a debugger or a terminal would.
#include <gtest/gtest.h>
#include <signal.h>

TEST(Hostile, StopsItself) {
  raise(SIGSTOP);
  SUCCEED();
}

TEST(Harmless, Passes) {
  SUCCEED();
}

TEST(Harmless, StillAdds) {
  EXPECT_EQ(1 + 1, 2);
}
