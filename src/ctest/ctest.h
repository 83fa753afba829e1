// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The test programs of a CMake build, as ctest knows them. gtest_discover_tests makes one ctest
// test out of each test of a binary, and so does gordian_discover_tests; they come back here as the
// one program that they are.
#pragma once

#include <filesystem>
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

}  // namespace gordian
