// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A guard returns to the directory in which the test began.
#include <gtest/gtest.h>

#include <filesystem>

namespace fs = std::filesystem;

struct ReturnHome {
  fs::path home = fs::current_path();
  ~ReturnHome() { fs::current_path(home); }
};

TEST(WorkingDirectory, IsNotTheRoot) {
  EXPECT_NE(fs::current_path(), fs::path("/"));
}

TEST(WorkingDirectory, CanBeChanged) {
  const ReturnHome guard;
  fs::current_path("/");
  EXPECT_EQ(fs::current_path(), fs::path("/"));
}

TEST(WorkingDirectory, IsAbsolute) {
  EXPECT_TRUE(fs::current_path().is_absolute());
}
