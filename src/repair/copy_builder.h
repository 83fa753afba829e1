// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Builds in the copy, and tells warnings that a patch brings from those that were there before: the
// same files are built without the patch, once, when it matters. In the process that is in the
// copy.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/subprocess.h"
#include "repair/copy_layers.h"
#include "repair/workspace.h"

namespace gordian {

// What a build printed, as far as a repair has to understand it: the first thing that went wrong,
// and warnings. Knows g++ and clang++, the linkers, CMake, make and ninja. Pure.

/// The error that a person would look at first: of the compiler, linker or CMake, else of make or
/// ninja, else the last line. Empty when nothing was printed.
std::string first_error(std::string_view output);

/// Whole lines, in their order, each once.
std::vector<std::string> warnings_in(std::string_view output);

/// A warning without line and column: the same one when lines were added above it.
std::string warning_key(std::string_view warning);

/// New content by absolute path; nullopt: as the user has it, but written anew.
using CopyContents = std::map<std::string, std::optional<std::string>>;

/// The files of a copy that differ from the user's. Only what changes is written, and whatever is
/// written is newer than anything built before, also when it is the old content again: make and
/// ninja go by times. In the process that is in the copy.
class CopiedFiles {
 public:
  explicit CopiedFiles(const CopyLayers& layers) : layers_(layers) {}

  /// Makes the copy's files these, and the user's again what earlier calls changed and this one
  /// does not name. An error: one lies outside of the copy, or cannot be written.
  Status apply(const CopyContents& files);

  /// As the user has it.
  std::optional<std::string> original(const std::string& path) const;

 private:
  Status put_back(const std::string& path);
  Status write(const std::string& path, const std::string& content);

  const CopyLayers& layers_;
  std::set<std::string> changed_;
};

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
