// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A guard on the stack restores the global, even when a fatal check leaves the test early.
#include <gtest/gtest.h>

int g_mode = 0;

class ModeGuard {
 public:
  explicit ModeGuard(int mode) : old_(g_mode) { g_mode = mode; }
  ~ModeGuard() { g_mode = old_; }

 private:
  int old_;
};

TEST(Printer, StartsInTextMode) {
  EXPECT_EQ(g_mode, 0);
}

TEST(Printer, GraphicsMode) {
  const ModeGuard guard(9);
  ASSERT_EQ(g_mode, 9);
}

TEST(Printer, LeavesEarly) {
  const ModeGuard guard(3);
  ASSERT_EQ(g_mode, 4) << "this failure is the expected result";
}
