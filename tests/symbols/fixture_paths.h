// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Where tests/symbols/fixtures.cmake put its programs.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "tests/model/scratch_dir.h"

namespace gordian {

inline std::filesystem::path fixture(std::string_view name) {
  return std::filesystem::path(GORDIAN_SYMBOL_FIXTURES) / name;
}

inline std::string read_whole(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace gordian
