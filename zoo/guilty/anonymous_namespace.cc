// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// State with internal linkage, polluted from one suite and read in another.
#include <gtest/gtest.h>

namespace {
int warnings = 0;
}  // namespace

TEST(Report, IsFreeOfWarnings) {
  EXPECT_EQ(warnings, 0);  // READ
}

TEST(Checker, Warns) {
  warnings = 2;  // WRITE
  EXPECT_GT(warnings, 0);
}

TEST(Checker, WarningsAreNeverNegative) {
  EXPECT_GE(warnings, 0);
}
