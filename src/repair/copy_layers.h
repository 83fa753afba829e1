// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The file system of a copy of a project: over each directory concerned a layer of its own, in a
// mount namespace, so that whoever is in it can write there and nobody else sees it.
//
//   root/r<d>        the real directory d, bound here before it is covered
//   root/u<d>, k<d>  what was changed (overlay upper and work), or a whole copy of the directory
//   root/tmp         for temporary files of compilers
//
// root is a file system in memory, mounted in the namespace only: all of it goes with the last
// process that is in there, however that ends.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/owned_dir.h"
#include "base/result.h"

namespace gordian {

class CopyLayers {
 public:
  /// Chooses what has to be covered for these, and makes the mount point.
  static Result<CopyLayers> prepare(const std::vector<std::filesystem::path>& directories);
  CopyLayers(const CopyLayers&) = delete;
  CopyLayers& operator=(const CopyLayers&) = delete;
  CopyLayers(CopyLayers&& other) noexcept;
  ~CopyLayers();

  /// In a child of ours, for good. The error says what this machine does not allow.
  Status enter();
  /// REQUIRES: enter(), and that nothing runs in it any more. Removes the mount point too.
  void leave();

  /// Canonical, outermost first.
  const std::vector<std::filesystem::path>& directories() const { return directories_; }
  std::filesystem::path temporary() const { return root_ / "tmp"; }
  /// REQUIRES: enter(). True if writing there changes the copy alone, also through links.
  bool covers(const std::filesystem::path& file) const;
  /// REQUIRES: enter(), covers(file). Where the real one is.
  std::filesystem::path original(const std::filesystem::path& file) const;

 private:
  CopyLayers() = default;
  Status cover(std::size_t d, bool by_overlay);
  Status cover_all(bool by_overlay);
  void uncover_all();
  bool private_views_work() const;

  std::optional<OwnedDir> owned_;
  std::filesystem::path root_;
  std::vector<std::filesystem::path> directories_;
  std::size_t covered_ = 0;  ///< the first so many of them
  bool userns_ = false;
};

}  // namespace gordian
