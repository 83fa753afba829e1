// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The polluter frees a shared object; the victim then reads through a null pointer.
#include <gtest/gtest.h>

int* g_slot = new int(7);

TEST(Slot, HoldsSeven) {
  const volatile int* slot = g_slot;  // READ
  EXPECT_EQ(*slot, 7);
}

TEST(Slot, CanBeReleased) {
  delete g_slot;
  g_slot = nullptr;  // WRITE
  EXPECT_EQ(g_slot, nullptr);
}

TEST(Slot, IntHasFourBytes) {
  EXPECT_EQ(sizeof(*g_slot), 4u);
}
