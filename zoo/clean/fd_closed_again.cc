// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Descriptors are opened and closed within one test.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

constexpr int kSlot = 91;

bool slot_is_free() {
  return fcntl(kSlot, F_GETFD) == -1;
}

TEST(Slots, AreFreeAtFirst) {
  EXPECT_TRUE(slot_is_free());
}

TEST(Slots, CanBeTaken) {
  const int opened = open("/dev/null", O_RDONLY);
  dup2(opened, kSlot);
  EXPECT_FALSE(slot_is_free());
  close(opened);
  close(kSlot);
}

TEST(Slots, AreFreeAtLast) {
  EXPECT_TRUE(slot_is_free());
}
