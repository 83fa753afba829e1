// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Lines of the sources that a binary was made from. A file that is gone or was changed after the
// binary was built gives none: a wrong line is worse than no line. A relative name (builds made
// with -ffile-prefix-map have such) is looked for from the folders above the binary, and must be
// found in one place only.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gordian {

/// What the reports ask: all lines of a file, or none. The vector stays valid.
using SourceReader = std::function<const std::vector<std::string>&(const std::string& file)>;

/// A relative name, looked for in the folders above the binary; nullopt when it is in none of them
/// or, as different files, in several.
std::optional<std::filesystem::path> find_above(const std::filesystem::path& binary,
                                                const std::filesystem::path& file);

/// Reads each file once.
class SourceFiles {
 public:
  explicit SourceFiles(std::filesystem::path binary) : binary_(std::move(binary)) {}

  const std::vector<std::string>& lines(const std::string& file);

 private:
  std::vector<std::string> read(const std::filesystem::path& file) const;

  std::filesystem::path binary_;
  std::map<std::string, std::vector<std::string>> files_;
};

}  // namespace gordian
