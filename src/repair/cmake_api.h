// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What CMake tells of a build: its cache, and the answers of its file API (codemodel-v2), from
// which the target of a program and the place of its declaration are read. Pure over the texts of
// files.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace gordian {

/// NAME -> value of CMakeCache.txt.
std::map<std::string, std::string> parse_cmake_cache(std::string_view text);

/// The file whose existence makes CMake answer, and where it then does, below the build directory.
inline constexpr const char* kCmakeQuery = ".cmake/api/v1/query/client-gordian/codemodel-v2";
inline constexpr const char* kCmakeReply = ".cmake/api/v1/reply";

struct CmakeTarget {
  std::string name;
  std::filesystem::path file;  ///< absolute; where the user's own code declares it
  int line = 0;                ///< of that command; a call of a function that does it counts as one
};

using TextOf = std::function<std::optional<std::string>(const std::filesystem::path& file)>;

/// The target that makes `binary`. `index`: name of the reply's index file. nullopt: none does, or
/// the reply is not what it should be.
std::optional<CmakeTarget> find_cmake_target(const std::filesystem::path& build_dir,
                                             const std::string& index,
                                             const std::filesystem::path& binary,
                                             const TextOf& text_of);

}  // namespace gordian
