// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The files of a copy that differ from the user's. Only what changes is written, and whatever is
// written is newer than anything built before, also when it is the old content again: make and
// ninja go by times. In the process that is in the copy.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>

#include "base/result.h"
#include "repair/copy_layers.h"

namespace gordian {

/// New content by absolute path; nullopt: as the user has it, but written anew.
using CopyContents = std::map<std::string, std::optional<std::string>>;

std::optional<std::string> read_whole_file(const std::string& path);

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

}  // namespace gordian
