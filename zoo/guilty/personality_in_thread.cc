// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// As personality, after a thread has run.
#include <gtest/gtest.h>
#include <sys/personality.h>
#include <sys/utsname.h>
#include <thread>

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
  std::thread([] { EXPECT_NE(personality(UNAME26), -1); }).join();
  EXPECT_NE(personality(UNAME26), -1);  // WRITE
}
