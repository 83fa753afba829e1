// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "base/scratch_dir.h"

#include <cstdlib>
#include <string>
#include <system_error>

namespace gordian {

Result<ScratchDir> ScratchDir::make(std::span<const std::filesystem::path> places) {
  std::string tried;
  for (const std::filesystem::path& place : places) {
    std::string name = place / "gordian-XXXXXX";
    if (::mkdtemp(name.data()) != nullptr) return ScratchDir(name);
    tried += (tried.empty() ? "" : ", ") + place.string();
  }
  return internal_error("no scratch directory could be made in any of " + tried,
                        "set XDG_RUNTIME_DIR to a directory that can be written to");
}

ScratchDir::~ScratchDir() {
  std::error_code none;
  if (!path_.empty()) std::filesystem::remove_all(path_, none);
}

}  // namespace gordian
