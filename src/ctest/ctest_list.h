// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// ctest's own list of the tests of a build: what each starts, where, with which environment, and
// what its author has said about its result, its order and its neighbours.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace gordian {

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
