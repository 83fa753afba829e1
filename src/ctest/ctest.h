// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The test programs of a CMake build, as ctest knows them. gtest_discover_tests makes one ctest
// test out of each test of a binary, and so does gordian_discover_tests; they come back here as the
// one program that they are.
#pragma once

#include <chrono>
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
using OuterEnvironment = std::function<std::optional<std::string>(const std::string&)>;

/// What a test's ENVIRONMENT and ENVIRONMENT_MODIFICATION properties do to the environment it is
/// started with. `assignments` are "NAME=VALUE", `modifications` are "NAME=OPERATION:VALUE" (set,
/// unset, reset, string_append, path_list_prepend, ...), done in their order as ctest does them.
/// The result holds each touched variable once, sorted by name. Words that are neither are added to
/// `complaints`.
std::vector<EnvChange> ctest_environment(const std::vector<std::string>& assignments,
                                         const std::vector<std::string>& modifications,
                                         const OuterEnvironment& outer,
                                         std::vector<std::string>& complaints);

// ctest's own list of the tests of a build: what each starts, where, with which environment, and
// what its author has said about its result, its order and its neighbours.

/// One entry, with the properties that we know.
struct CtestEntry {
  std::string name;
  std::string file;  ///< of the add_test() call, if ctest tells
  int line = 0;
  std::vector<std::string> command;  ///< empty: the program is not there
  std::filesystem::path working_dir;
  std::vector<std::string> environment, environment_modification;
  bool disabled = false;

  std::vector<std::string> pass_regex, fail_regex, skip_regex;
  std::optional<int> skip_return_code;
  bool will_fail = false;
  std::chrono::milliseconds timeout{0};  ///< 0: it has none of its own
  std::vector<std::string> required_files;

  std::vector<std::string> depends;  ///< ctest adds what fixtures mean for the order
  std::vector<std::string> fixtures_setup, fixtures_cleanup, fixtures_required;
  std::vector<std::string> resource_lock;
  bool run_serial = false;
};

/// Asks ctest. `build_dir` may be relative; a directory that is no CMake build is an error.
Result<std::vector<CtestEntry>> list_ctest(const std::filesystem::path& build_dir);

/// The same for the text that `ctest --show-only=json-v1` printed in the absolute `build_dir`.
Result<std::vector<CtestEntry>> parse_ctest_list(std::string_view json,
                                                 const std::filesystem::path& build_dir);

}  // namespace gordian
