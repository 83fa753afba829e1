// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Skips after a failure and skips without one; the first is still a failure.
#include <gtest/gtest.h>

TEST(Hostile, SkipsAfterFailure) {
  ADD_FAILURE() << "failed before it skipped";
  GTEST_SKIP() << "and skipped";
}

TEST(Hostile, Skips) {
  GTEST_SKIP() << "only skipped";
}

TEST(Harmless, Passes) {
  SUCCEED();
}
