// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Writes through a null pointer, after a check of its own has already failed.
#include <gtest/gtest.h>

int* volatile g_nowhere = nullptr;

TEST(Hostile, Segfaults) {
  EXPECT_EQ(1, 2) << "a failure before the crash";
  *g_nowhere = 1;
}

TEST(Harmless, Passes) {
  SUCCEED();
}

TEST(Harmless, StillAdds) {
  EXPECT_EQ(1 + 1, 2);
}
