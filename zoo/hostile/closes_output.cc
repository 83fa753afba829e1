// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Closes the standard output and the standard error stream under everybody's feet.
#include <gtest/gtest.h>
#include <unistd.h>

TEST(Hostile, ClosesOutput) {
  EXPECT_EQ(close(STDOUT_FILENO), 0);
  EXPECT_EQ(close(STDERR_FILENO), 0);
}

TEST(Harmless, Passes) {
  SUCCEED();
}

TEST(Harmless, Fails) {
  ADD_FAILURE() << "this failure must be reported all the same";
}
