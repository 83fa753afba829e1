// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A system call is made the way 32-bit programs do, where numbers mean other calls.
#include <gtest/gtest.h>
#include <unistd.h>

long old_getpid() {
  long result = 20;  // of writev() in the numbers of 64-bit programs
  asm volatile("int $0x80" : "+a"(result) : : "memory", "r8", "r9", "r10", "r11");
  return result;
}

TEST(OldCall, TellsTheProcess) {
  EXPECT_EQ(old_getpid(), getpid());
}

TEST(OldCall, TellsItAgain) {
  EXPECT_EQ(old_getpid(), getpid());
}

TEST(OldCall, IsNotNeeded) {
  EXPECT_GT(getpid(), 0);
}
