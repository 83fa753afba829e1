// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A lock file left in the directory for temporary files.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

std::filesystem::path lock_path() {
  return std::filesystem::temp_directory_path() / "gordian_zoo_file_in_tmp.lock";
}

TEST(Lock, IsFreeAtFirst) {
  EXPECT_FALSE(std::filesystem::exists(lock_path()));  // READ
}

TEST(Lock, PathIsAbsolute) {
  EXPECT_TRUE(lock_path().is_absolute());
}

TEST(Lock, CanBeTaken) {
  std::ofstream(lock_path()) << "held";  // WRITE
  EXPECT_TRUE(std::filesystem::exists(lock_path()));
}
