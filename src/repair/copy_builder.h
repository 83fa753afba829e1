// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Builds in the copy, and tells warnings that a patch brings from those that were there before: the
// same files are built without the patch, once, when it matters. In the process that is in the
// copy.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/subprocess.h"
#include "repair/copied_files.h"
#include "repair/workspace.h"

namespace gordian {

/// What builds and helpers are started with.
struct BuildSurroundings {
  std::filesystem::path temporary;
  std::chrono::seconds limit{0};
  std::function<bool()> should_stop;
};

/// Runs a helper to its end and ends all that it left running. An error: it could not be started,
/// took too long, or somebody wants to stop.
Result<SubprocessResult> run_in_copy(const std::vector<std::string>& argv,
                                     const std::filesystem::path& directory,
                                     const BuildSurroundings& surroundings,
                                     std::function<void(std::string_view)> on_output = {});

class CopyBuilder {
 public:
  using Tell = std::function<void(std::string_view line)>;

  CopyBuilder(CopiedFiles& files, BuildSurroundings surroundings)
      : files_(files), surroundings_(std::move(surroundings)) {}

  /// For sh -c, and where.
  void set_command(std::string command, std::filesystem::path directory) {
    command_ = std::move(command);
    directory_ = std::move(directory);
  }
  Result<BuildResult> build(const ChangedFiles& files, const Tell& tell);

 private:
  Result<BuildResult> build_these(const CopyContents& contents, const Tell& tell);
  /// The warnings of these files as the user has them.
  Status measure(const CopyContents& contents, const Tell& tell);
  std::vector<std::string> unknown_warnings(const std::string& output) const;

  CopiedFiles& files_;
  BuildSurroundings surroundings_;
  std::string command_;
  std::filesystem::path directory_;
  std::string output_;              ///< of the last build, whole
  std::set<std::string> measured_;  ///< files
  std::set<std::string> known_;     ///< warning_key() of what unpatched files print
};

}  // namespace gordian
