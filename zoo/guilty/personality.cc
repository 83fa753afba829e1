// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The process asks the kernel to behave as an older one.
#include <gtest/gtest.h>
#include <sys/personality.h>
#include <sys/utsname.h>

char first_digit() {
  utsname names{};
  uname(&names);  // READ
  return names.release[0];
}

const char g_at_first = first_digit();

TEST(Kernel, IsTheSame) {
  EXPECT_EQ(first_digit(), g_at_first);
}

TEST(Kernel, HasAVersion) {
  EXPECT_GE(first_digit(), '2');
}

TEST(Kernel, CanPretend) {
  EXPECT_NE(personality(UNAME26), -1);  // WRITE
  EXPECT_EQ(first_digit(), '2');
}
