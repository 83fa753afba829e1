// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Each test has a file of its own, with a unique name, and removes it.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>

class Scratch : public testing::Test {
 protected:
  Scratch() : path_((std::filesystem::temp_directory_path() / "gordian_zoo_XXXXXX").string()) {
    fd_ = mkstemp(path_.data());
  }
  ~Scratch() override {
    close(fd_);
    unlink(path_.c_str());
  }
  std::string path_;
  int fd_ = -1;
};

TEST_F(Scratch, IsEmpty) {
  EXPECT_EQ(std::filesystem::file_size(path_), 0u);
}

TEST_F(Scratch, CanBeWritten) {
  EXPECT_EQ(write(fd_, "four", 4), 4);
  EXPECT_EQ(std::filesystem::file_size(path_), 4u);
}

TEST_F(Scratch, Exists) {
  EXPECT_TRUE(std::filesystem::exists(path_));
}
