// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A test binary and how to start it: what a user points us at, or what ctest knows of a build.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "model/runtime_traits.h"

namespace gordian {

/// One change to the environment: a variable and its new value, or nullopt to unset it.
using EnvChange = std::pair<std::string, std::optional<std::string>>;

struct Target {
  std::filesystem::path binary;       ///< absolute
  std::vector<std::string> args;      ///< after the binary's name
  std::filesystem::path working_dir;  ///< absolute; never empty
  std::vector<EnvChange> env;         ///< on top of our own environment; each variable once
  std::string origin;  ///< "" when named by the user, else the ctest test it was found through
  RuntimeId runtime = nullptr;  ///< what runs its tests; null: runtime_of() looks at the file
};

/// Targets, and one sentence for each thing that was looked at and left out.
struct TargetSelection {
  std::vector<Target> targets;
  std::vector<std::string> skipped;
};

/// Turns what the user typed into targets: a file is one target (run in the current directory), a
/// directory is a CMake build whose test programs are found through ctest. `args` are added to
/// every target. The same program with the same surroundings is returned once. A build without any
/// test program is an error; whether a program is a test binary we understand is not asked here.
Result<TargetSelection> resolve_targets(const std::vector<std::string>& words,
                                        const std::vector<std::string>& args);

}  // namespace gordian
