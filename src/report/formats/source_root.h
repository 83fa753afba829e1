// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Which file of a checkout a name in debug information means. CI systems show a finding at a line
// only if the file's name is relative to the top of the checkout; debug information has absolute
// names, or names relative to wherever the compiler ran.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace gordian {

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
