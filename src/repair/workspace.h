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
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/run.h"
#include "repair/change.h"
#include "repair/project.h"
#include "runtime/native/executor.h"

namespace gordian {

struct BuildResult {
  bool succeeded = false;
  std::string output;                     ///< the end of what was printed
  std::string first_error;                ///< "file:line: error: ..." if one is in it
  std::vector<std::string> new_warnings;  ///< lines that the build without the patch did not print
  double seconds = 0;
};

/// Work that somebody else does in the copy, on the program as it is built there. `engine`: how
/// orders have to be run there. Gets `tell` for a line of progress. Runs in the process that is in
/// the copy: what is to be known afterwards has to go to a file outside of it.
using WorkInCopy = std::function<Status(const ExecutorOptions& engine,
                                        const std::function<void(std::string_view)>& tell)>;

struct WorkspaceOptions {
  ExecutorOptions engine;               ///< how orders are run; should_stop ends builds too
  std::chrono::seconds build_limit{0};  ///< of one build or helper; 0: none
  WorkInCopy work;                      ///< what work() does; empty: nothing
  std::filesystem::path work_dir;       ///< of that; removed with the copy, also if we are killed

  WorkspaceOptions() { engine.limits.test_timeout = std::chrono::seconds(10); }
};

class Workspace {
 public:
  /// An error says why this machine or this project does not allow it, and what to do instead.
  static Result<std::unique_ptr<Workspace>> open(const Project& project,
                                                 const WorkspaceOptions& options = {});
  virtual ~Workspace() = default;

  /// With what the build system told in the copy. Paths are those of the user's tree.
  virtual const Project& project() const = 0;

  /// Makes the files of the copy these (and those of an earlier call that are not named the real
  /// ones again), then builds. `tell` gets the build's lines as they come.
  virtual Result<BuildResult> build(const ChangedFiles& files,
                                    const std::function<void(std::string_view)>& tell) = 0;

  /// Orders of the program in the copy, by test names; what each position did. A test that the
  /// program does not have any more is an error of kind no_match.
  virtual Result<std::vector<OrderRun>> run(std::span<const std::vector<std::string>> orders) = 0;
  /// Names of the tests of the program in the copy, in their default order.
  virtual Result<Suite> suite() = 0;

  /// A file as it is in the copy; nullopt: not there, or not readable.
  virtual std::optional<std::string> read(const std::string& file) = 0;
  /// Runs a helper (cmake, gordian-facts) in the copy.
  virtual Result<int> helper(const std::vector<std::string>& argv, std::string& output) = 0;
  /// Does WorkspaceOptions::work in the copy, with what was built last.
  virtual Status work(const std::function<void(std::string_view)>& tell) = 0;
};

}  // namespace gordian
