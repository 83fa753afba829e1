// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A directory of our own, removed with all it holds; what is left of a killed process is removed by
// the next one that makes a directory in the same place.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <utility>

#include "base/owned_dir.h"
#include "base/result.h"

namespace gordian {

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
