// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A polluter and its victim: in the default order all pass, backwards the victim fails.
#include <gtest/gtest.h>

namespace {

int shared_state = 0;

TEST(Victim, ExpectsCleanState) {
  EXPECT_EQ(0, shared_state);
}

TEST(Polluter, LeavesStateDirty) {
  shared_state = 1;
}

}  // namespace
