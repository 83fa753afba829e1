// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Closes every descriptor above the standard ones, including those it does not own.
#include <gtest/gtest.h>
#include <unistd.h>

TEST(Hostile, ClosesDescriptors) {
  for (int fd = 3; fd < 1024; ++fd) close(fd);
  SUCCEED();
}

TEST(Harmless, Passes) {
  SUCCEED();
}

TEST(Harmless, Fails) {
  ADD_FAILURE() << "this failure must be reported all the same";
}
