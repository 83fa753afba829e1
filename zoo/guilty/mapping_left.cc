// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A mapping at a fixed address is never removed.
#include <gtest/gtest.h>
#include <sys/mman.h>

void* const kPlace = reinterpret_cast<void*>(0x2000'0000'0000);

bool take_place() {
  void* got = mmap(kPlace, 4096, PROT_READ | PROT_WRITE,  // USED
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  return got == kPlace;
}

TEST(Place, IsFree) {
  ASSERT_TRUE(take_place());
  munmap(kPlace, 4096);
}

TEST(Place, IsAligned) {
  EXPECT_EQ(reinterpret_cast<long>(kPlace) % 4096, 0);
}

TEST(Place, CanBeTaken) {
  EXPECT_TRUE(take_place() || true);
}
