// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The engine's half of private file systems: which directories, where the layers live, and whether
// this machine allows it at all. The mechanism itself is in wire/private_fs.h.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/owned_dir.h"
#include "base/result.h"
#include "model/target.h"
#include "wire/protocol.h"

namespace gordian {

/// A temporary directory that serves as mount point in the test's namespace (and stays empty
/// outside of it). Removed with this object; what a killed process has left is removed by the next.
class PrivateFs {
 public:
  PrivateFs(const PrivateFs&) = delete;
  PrivateFs& operator=(const PrivateFs&) = delete;
  PrivateFs(PrivateFs&& other) noexcept;
  ~PrivateFs();

  /// Chooses the directories for `target` (its working directory, the binary's, the temporary
  /// ones, and `extra`) and proves by trying that they can be covered. The error's message says
  /// why not. Of kind `internal`: that could not be found out, because whoever tried was killed,
  /// again and again. It says nothing about the machine, and nobody may go on as if it did.
  static Result<PrivateFs> prepare(const Target& target,
                                   const std::vector<std::filesystem::path>& extra);

  const std::vector<std::string>& directories() const { return directories_; }
  void describe_to(gordian_wire::Header& header) const;

 private:
  PrivateFs() = default;
  Status try_it() const;

  std::optional<OwnedDir> root_;
  std::vector<std::string> directories_;
  bool userns_ = false;
};

}  // namespace gordian
