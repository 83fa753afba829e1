// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What tests did to files: the upper layers of the private file system hold exactly what was
// created, changed or removed. Without a private file system nothing can be said.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "runtime/native/held_process.h"
#include "state/external/external_state.h"

namespace gordian {

struct FileState {
  enum class Kind : std::uint8_t { file, directory, link, socket, other, removed };
  Kind kind = Kind::file;
  std::uint32_t mode = 0;
  std::uint64_t size = 0;
  std::string content;  ///< of a file, its first megabyte; of a link, its target
  bool operator==(const FileState&) const = default;
};

/// By the path that the program uses. nullopt: there is no private file system.
using FileView = std::map<std::string, FileState>;
std::optional<FileView> read_written_files(const HeldProcess& held);

/// `held` lends its view of the files below the private layers.
std::vector<ExternalChange> file_changes(const HeldProcess& held, const FileView& before,
                                         const FileView& after, const std::string& cwd);

}  // namespace gordian
