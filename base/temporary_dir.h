// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A directory of our own, removed with all it holds.
#pragma once

#include <filesystem>
#include <span>
#include <utility>

#include "base/result.h"

namespace gordian {

class TemporaryDir {
 public:
  /// In the first of these places that lets us.
  static Result<TemporaryDir> make(std::span<const std::filesystem::path> places);
  TemporaryDir(TemporaryDir&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  TemporaryDir& operator=(TemporaryDir&&) = delete;
  ~TemporaryDir();

  const std::filesystem::path& path() const { return path_; }

 private:
  explicit TemporaryDir(std::filesystem::path path) : path_(std::move(path)) {}
  std::filesystem::path path_;
};

}  // namespace gordian
