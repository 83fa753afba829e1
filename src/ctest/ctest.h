// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The test programs of a CMake build, as ctest knows them. gtest_discover_tests makes one ctest
// test out of each test of a binary, and so does gordian_discover_tests; they come back here as the
// one program that they are.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/target.h"

namespace gordian {

/// Asks ctest for the tests of `build_dir` and groups those that start the same ELF program with
/// the same directory, environment and arguments (the ones that only select tests do not count).
/// What is no ELF program, disabled or not built yet is in `skipped`, one sentence each.
Result<TargetSelection> discover_ctest(const std::filesystem::path& build_dir);

/// The same for the text that `ctest --show-only=json-v1` printed.
Result<TargetSelection> parse_ctest_json(std::string_view json,
                                         const std::filesystem::path& build_dir);

/// The value of a variable in the environment that ctest would be started from.
using EnvLookup = std::function<std::optional<std::string>(const std::string&)>;

/// What a test's ENVIRONMENT and ENVIRONMENT_MODIFICATION properties do to the environment it is
/// started with. `assignments` are "NAME=VALUE", `modifications` are "NAME=OPERATION:VALUE" (set,
/// unset, reset, string_append, path_list_prepend, ...), done in their order as ctest does them.
/// The result holds each touched variable once, sorted by name. Words that are neither are added to
/// `complaints`.
std::vector<EnvChange> ctest_environment(const std::vector<std::string>& assignments,
                                         const std::vector<std::string>& modifications,
                                         const EnvLookup& outer,
                                         std::vector<std::string>& complaints);

}  // namespace gordian
