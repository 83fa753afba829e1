// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// One test changes the working directory and does not return.
#include <gtest/gtest.h>

#include <filesystem>

namespace fs = std::filesystem;

TEST(WorkingDirectory, IsNotTheRoot) {
  EXPECT_NE(fs::current_path(), fs::path("/"));  // READ
}

TEST(WorkingDirectory, IsAbsolute) {
  EXPECT_TRUE(fs::current_path().is_absolute());
}

TEST(WorkingDirectory, CanBeChanged) {
  fs::current_path("/");  // WRITE
  EXPECT_EQ(fs::current_path(), fs::path("/"));
}
