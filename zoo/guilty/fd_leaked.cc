// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// One test leaves a descriptor open in a slot that another expects to be free.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

constexpr int kSlot = 91;

bool slot_is_free() {
  return fcntl(kSlot, F_GETFD) == -1;  // READ
}

TEST(Slots, AreFreeAtFirst) {
  EXPECT_TRUE(slot_is_free());
}

TEST(Slots, CanBeTaken) {
  const int opened = open("/dev/null", O_RDONLY);
  dup2(opened, kSlot);  // WRITE
  close(opened);
  EXPECT_FALSE(slot_is_free());
}

TEST(Slots, NumberIsPositive) {
  EXPECT_GT(kSlot, 0);
}
