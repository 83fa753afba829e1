// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What a test binary was built from and how it is built again: found from the binary itself (debug
// information, CMakeCache.txt above it, the git checkout around its sources), or told by the user.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/target.h"

namespace gordian {

struct ProjectOptions {
  std::string build_command;          ///< --build; empty: found out
  std::filesystem::path source_root;  ///< --source; empty: found out
};

struct Project {
  Target target;
  std::filesystem::path source_root;               ///< of the checkout, or CMAKE_HOME_DIRECTORY
  std::vector<std::filesystem::path> source_dirs;  ///< with sources outside of the root
  std::filesystem::path build_dir;          ///< with CMakeCache.txt; empty: not a CMake build
  std::string build_command;                ///< for sh -c
  bool own_build_command = false;           ///< found out, not told by the user
  std::string cmake_program;                ///< of this build; empty: not a CMake build
  std::filesystem::path build_command_dir;  ///< where it runs
  std::filesystem::path compile_commands;   ///< empty: none is there
  std::string cmake_target;                 ///< that makes the binary; empty: unknown
  std::filesystem::path cmake_file;         ///< where that target is declared, and on which line
  int cmake_line = 0;
  bool is_git = false;
  std::vector<std::string> notes;  ///< a sentence for each thing that could not be found out
};

/// Reads only. What the build system alone can tell (compile commands that were not written yet,
/// the target and its line) is asked for in the copy: see Workspace::project().
Result<Project> find_project(const Target& target, const ProjectOptions& options);

/// `cmake --build DIR [--target T] --parallel N`, quoted. REQUIRES: a CMake build.
std::string cmake_build_command(const Project& project);

// What CMake tells of a build: its cache, and the answers of its file API (codemodel-v2), from
// which the target of a program and the place of its declaration are read. Pure over the texts of
// files.

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
