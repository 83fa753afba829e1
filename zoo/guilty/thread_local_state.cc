// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Thread-local state is still shared by all tests, because they run on one thread.
#include <gtest/gtest.h>

thread_local int t_last_error = 0;

TEST(LastError, IsZeroAtFirst) {
  EXPECT_EQ(t_last_error, 0);  // READ
}

TEST(LastError, RemembersFailure) {
  t_last_error = 22;  // WRITE
  EXPECT_EQ(t_last_error, 22);
}

TEST(LastError, IsAddressable) {
  EXPECT_NE(&t_last_error, nullptr);
}
