// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Runs one helper program (ctest, cmake) to its end and keeps what it printed. No shell: argv goes
// to the program as it is. Not for test binaries: those belong to the engine.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace gordian {

struct SubprocessOptions {
  std::filesystem::path working_dir;  ///< empty: ours
  /// Changes on top of our environment; nullopt unsets.
  std::vector<std::pair<std::string, std::optional<std::string>>> env;
  std::chrono::milliseconds timeout{30'000};
  std::size_t output_limit = std::size_t{64} << 20;  ///< for each of stdout and stderr
  /// Gets what either stream brings, as it comes; empty: nobody listens.
  std::function<void(std::string_view)> on_output;
  std::function<bool()> should_stop;  ///< asked about 20 times a second; empty: nobody does
};

struct SubprocessResult {
  int exit_code = 0;
  int signal = 0;  ///< the signal it died of, or 0
  bool timed_out = false;
  bool stopped = false;  ///< as should_stop wanted
  std::string out;
  std::string err;
  bool truncated = false;  ///< more was printed than the limit let us keep

  bool succeeded() const { return exit_code == 0 && signal == 0 && !timed_out && !stopped; }
};

/// Starts argv[0] (looked up in PATH when it has no slash) with stdin empty, in a process group of
/// its own, and waits until it ends, or the time is over or somebody wants it to stop; then the
/// whole group is killed. A program that starts and fails is a result, not an Error; an Error says
/// that it could not be started. REQUIRES: argv is not empty.
Result<SubprocessResult> run_subprocess(const std::vector<std::string>& argv,
                                        const SubprocessOptions& options = {});

/// As exec() wants them, with a null pointer at the end. They point into `words`.
std::vector<char*> c_pointers(std::vector<std::string>& words);

}  // namespace gordian
