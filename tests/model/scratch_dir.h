// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A test fixture with a directory that goes away with the test, and files in it.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace gordian {

class ScratchDir : public testing::Test {
 protected:
  ScratchDir() {
    std::string name = testing::TempDir() + "gordian-XXXXXX";
    // Canonical, because what is tested resolves symlinks and /tmp may be one.
    dir_ = std::filesystem::canonical(::mkdtemp(name.data()));
  }
  ~ScratchDir() override { std::filesystem::remove_all(dir_); }

  std::filesystem::path write(std::string_view name, std::string_view content, mode_t mode = 0755) {
    const std::filesystem::path path = dir_ / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << content;
    ::chmod(path.c_str(), mode);
    return path;
  }

  std::filesystem::path dir_;
};

}  // namespace gordian
