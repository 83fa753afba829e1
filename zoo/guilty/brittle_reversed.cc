// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// In the default order the brittle test comes first and fails; its failure is the expected result.
#include <gtest/gtest.h>

int g_licence = 0;

TEST(Licence, IsValid) {
  EXPECT_EQ(g_licence, 1234);  // READ
}

TEST(Licence, CanBeEntered) {
  g_licence = 1234;  // WRITE
  EXPECT_NE(g_licence, 0);
}

TEST(Licence, HasFourDigits) {
  EXPECT_LT(1234, 10000);
}
