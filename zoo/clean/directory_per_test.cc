// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Files with fixed names, but in a directory that each test makes and removes.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace fs = std::filesystem;

class Output : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "gordian_zoo_dir_XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    root_ = name;
  }
  void TearDown() override { fs::remove_all(root_); }
  fs::path root_;
};

TEST_F(Output, IsEmptyAtFirst) {
  EXPECT_TRUE(fs::is_empty(root_));
}

TEST_F(Output, FileIsWritten) {
  std::ofstream(root_ / "result.txt") << "42";
  EXPECT_TRUE(fs::exists(root_ / "result.txt"));
}

TEST_F(Output, FileIsNotThereYet) {
  EXPECT_FALSE(fs::exists(root_ / "result.txt"));
}
