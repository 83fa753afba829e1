// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A static member of a class template: only the instance for int is polluted.
#include <gtest/gtest.h>

template <class T>
struct Pool {
  static int used;
};

template <class T>
int Pool<T>::used = 0;

TEST(Pools, IntPoolIsUnused) {
  EXPECT_EQ(Pool<int>::used, 0);  // READ
}

TEST(Pools, CharPoolIsUnused) {
  EXPECT_EQ(Pool<char>::used, 0);
}

TEST(Pools, IntPoolCanBeUsed) {
  Pool<int>::used = 1;  // WRITE
  EXPECT_EQ(Pool<int>::used, 1);
}
