// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A function-local static: one test enters twice and leaves once.
#include <gtest/gtest.h>

int& depth() {
  static int current = 0;
  return current;
}

void enter() {
  ++depth();
}

void leave() {
  --depth();  // WRITE
}

TEST(Nesting, IsFlatAtFirst) {
  EXPECT_EQ(depth(), 0);  // READ
}

TEST(Nesting, LeaveUndoesEnter) {
  const int before = depth();
  enter();
  leave();
  EXPECT_EQ(depth(), before);
}

TEST(Nesting, EnterTwiceNests) {
  const int before = depth();
  enter();
  enter();
  leave();
  EXPECT_EQ(depth(), before + 1);
}
