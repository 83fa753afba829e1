// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A constant is made writable, changed and protected again, after a thread has run.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <thread>

alignas(4096) extern const unsigned char kTable[4096];
alignas(4096) const unsigned char kTable[4096] = {42};

int first_of(const volatile unsigned char* table) {
  return table[0];  // READ
}

TEST(Table, IsWhatItWas) {
  EXPECT_EQ(first_of(kTable), 42);
}

TEST(Table, SecondIsZero) {
  EXPECT_EQ(first_of(kTable + 1), 0);
}

TEST(Table, CanBePatched) {
  std::thread([] {}).join();
  auto* writable = const_cast<unsigned char*>(kTable);
  mprotect(writable, 4096, PROT_READ | PROT_WRITE);
  *static_cast<volatile unsigned char*>(writable) = 13;  // WRITE
  mprotect(writable, 4096, PROT_READ);
  EXPECT_EQ(first_of(kTable), 13);
}
