// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "base/temporary_dir.h"

#include <string>
#include <system_error>

namespace gordian {

Result<TemporaryDir> TemporaryDir::make(std::span<const std::filesystem::path> places) {
  std::string tried;
  for (const std::filesystem::path& place : places) {
    auto dir = OwnedDir::make(place, "gordian-tmp", OwnedDir::Content::anything);
    if (dir) return TemporaryDir(*std::move(dir));
    tried += (tried.empty() ? "" : ", ") + place.string();
  }
  return internal_error("no scratch directory could be made in any of " + tried,
                        "set XDG_RUNTIME_DIR to a directory that can be written to");
}

TemporaryDir::~TemporaryDir() {
  std::error_code none;
  if (dir_) std::filesystem::remove_all(dir_->path(), none);
}

}  // namespace gordian
