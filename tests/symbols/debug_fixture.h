// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The programs that tests/symbols/debug_fixtures.cmake builds, and lines of their source.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "symbols/debug_info.h"
#include "tests/symbols/fixture_paths.h"

namespace gordian {

inline std::vector<std::string> debug_fixtures() {
  std::istringstream words(GORDIAN_DEBUG_FIXTURES);
  return {std::istream_iterator<std::string>(words), {}};
}

inline std::filesystem::path debug_fixture(std::string_view name) {
  return fixture("debug_" + std::string(name)) / "program";
}

/// The line of debug_variables.cc that ends with "// LINE <mark>".
inline int marked_line(const std::string& mark) {
  std::ifstream source(std::string(GORDIAN_DEBUG_SOURCES) + "/debug_variables.cc");
  int number = 1;
  for (std::string line; std::getline(source, line); ++number) {
    if (line.ends_with("// LINE " + mark)) return number;
  }
  ADD_FAILURE() << "no line is marked " << mark;
  return -1;
}

inline DebugInfo opened(const std::filesystem::path& path, const DebugInfoOptions& options = {}) {
  auto info = DebugInfo::open(path, options);
  EXPECT_TRUE(info.ok()) << path << ": " << info.error().message;
  return std::move(*info);
}

}  // namespace gordian
