// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The name of the process is changed.
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <cstring>

TEST(Name, IsOfTheProgram) {
  char name[16] = {};
  prctl(PR_GET_NAME, name);  // READ
  EXPECT_STREQ(name, "process_name");
}

TEST(Name, FitsInSixteenBytes) {
  EXPECT_LT(std::strlen("process_name"), 16u);
}

TEST(Name, CanBeChanged) {
  EXPECT_EQ(prctl(PR_SET_NAME, "another"), 0);  // WRITE
}
