// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Directories that belong to a running process. A lock says so, and dies with the last process that
// has it, however that ends, in whatever namespace it ran: what is left of a killed one is found by
// the next who makes a directory there, and removed. Names hold the user: gordian-fs-1000-hT4xQz.
//
// Safe against each other: who makes a directory locks it and then looks whether it is still there;
// who sweeps removes only what it has locked. Nothing of another user is looked into, and no
// symbolic link is followed.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "base/result.h"
#include "base/unique_fd.h"

namespace gordian {

class OwnedDir {
 public:
  /// What may be in a directory that nobody owns any more, to be removed.
  enum class Content { none, anything };

  /// A new directory in `place`, after a look for older ones with the same `stem`. nullopt: the
  /// place does not let us.
  static std::optional<OwnedDir> make(const std::filesystem::path& place, std::string_view stem,
                                      Content swept);
  OwnedDir(OwnedDir&& other) noexcept = default;
  OwnedDir& operator=(OwnedDir&& other) noexcept = default;

  const std::filesystem::path& path() const { return path_; }

 private:
  OwnedDir(std::filesystem::path path, UniqueFd lock)
      : path_(std::move(path)), lock_(std::move(lock)) {}
  std::filesystem::path path_;
  UniqueFd lock_;
};

/// Removes directories of this user that no process owns. How many.
int sweep_unowned(const std::filesystem::path& place, std::string_view stem,
                  OwnedDir::Content content);

/// Removed with all it holds. What a killed process has left is removed by the next one that makes
/// such a directory in the same place.
class TemporaryDir {
 public:
  /// In the first of these places that lets us.
  static Result<TemporaryDir> make(std::span<const std::filesystem::path> places);
  TemporaryDir(TemporaryDir&& other) noexcept : dir_(std::exchange(other.dir_, std::nullopt)) {}
  TemporaryDir& operator=(TemporaryDir&&) = delete;
  ~TemporaryDir();

  const std::filesystem::path& path() const { return dir_->path(); }

 private:
  explicit TemporaryDir(OwnedDir dir) : dir_(std::move(dir)) {}
  std::optional<OwnedDir> dir_;
};

}  // namespace gordian
