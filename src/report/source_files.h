// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The sources that a binary was made from: their lines, and their names in a checkout.
//
// Lines: A file that is gone or was changed after the
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

/// Which file of a checkout a name in debug information means. CI systems show a finding at a line
/// only if the file's name is relative to the top of the checkout; debug information has absolute
/// names, or names relative to wherever the compiler ran.
class SourceRoot {
 public:
  /// The folder that names are relative to.
  explicit SourceRoot(const std::filesystem::path& root);

  /// The nearest folder at or above `from` that is the top of a git checkout; else `from` itself.
  static std::filesystem::path above(const std::filesystem::path& from);

  /// "src/cart.cc" of "/home/me/shop/src/cart.cc"; nullopt for files outside and for no name. A
  /// relative name is looked for below the root, then in the folders above the binary; if it is in
  /// neither it is taken as it is, unless it leads out.
  std::optional<std::string> relative(const std::string& file, const std::string& binary) const;

  const std::filesystem::path& path() const { return root_; }  ///< absolute

 private:
  std::optional<std::string> below(const std::filesystem::path& file) const;

  std::filesystem::path root_;
};

}  // namespace gordian
