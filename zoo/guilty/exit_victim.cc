// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Polluted, the victim ends the whole process.
#include <gtest/gtest.h>

#include <cstdlib>

int g_errors = 0;

void give_up_on_errors() {
  if (g_errors > 0) std::exit(4);  // READ
}

TEST(Compiler, ContinuesWithoutErrors) {
  give_up_on_errors();
  SUCCEED();
}

TEST(Compiler, CountsErrors) {
  g_errors = 1;  // WRITE
  EXPECT_EQ(g_errors, 1);
}

TEST(Compiler, ErrorsAreNeverNegative) {
  EXPECT_GE(g_errors, 0);
}
