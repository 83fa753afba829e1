// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A copy of the user's project in which patches are built and run: copy-on-write layers over the
// source and the build tree, at their own paths, seen by our children alone (a mount namespace), so
// that an incremental build works and the real files never change. The layers live in a scratch
// directory that goes with this object. Single-threaded.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "repair/change.h"
#include "repair/project.h"
#include "suite/run.h"

namespace gordian {

struct BuildResult {
  bool succeeded = false;
  std::string output;                     ///< the end of what was printed
  std::string first_error;                ///< "file:line: error: ..." if one is in it
  std::vector<std::string> new_warnings;  ///< lines that the build without the patch did not print
  double seconds = 0;
};

class Workspace {
 public:
  /// An error says why this machine or this project does not allow it, and what to do instead.
  static Result<std::unique_ptr<Workspace>> open(const Project& project);
  virtual ~Workspace() = default;

  /// Makes the files of the copy these (and those of an earlier call that are not named the real
  /// ones again), then builds. `tell` gets the build's lines as they come.
  virtual Result<BuildResult> build(const ChangedFiles& files,
                                    const std::function<void(std::string_view)>& tell) = 0;

  /// Orders of the program in the copy, by test names; what each position did. A test that the
  /// program does not have any more is an error of kind no_match.
  virtual Result<std::vector<OrderRun>> run(std::span<const std::vector<std::string>> orders) = 0;
  /// Names of the tests of the program in the copy, in their default order.
  virtual Result<Suite> suite() = 0;

  /// Runs a helper (cmake, gordian-facts) in the copy.
  virtual Result<int> helper(const std::vector<std::string>& argv, std::string& output) = 0;
};

}  // namespace gordian
