// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// One test leaves a file in the working directory.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

TEST(Results, NoneAtFirst) {
  EXPECT_FALSE(std::filesystem::exists("results.tmp"));  // READ
}

TEST(Results, AreWritten) {
  std::ofstream("results.tmp") << "42\n";  // WRITE
  EXPECT_TRUE(std::filesystem::exists("results.tmp"));
}

TEST(Results, OtherNamesAreUntouched) {
  EXPECT_FALSE(std::filesystem::exists("other.tmp"));
}
