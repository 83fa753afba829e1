// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// One name for each file that has several: whoever writes one hard link changes what is read by the
// other. A number of an inode is given to another file as soon as its own is gone, so the time of
// birth belongs to the key; where a file system has none, the key holds for one process only.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <string>

#include "flow/external/process_files.h"

namespace gordian {

struct InodeKey {
  std::uint64_t inode = 0;
  std::int64_t born_ns = 0;
  std::uint64_t device = 0, scope = 0;  ///< only without a time of birth
  friend auto operator<=>(const InodeKey&, const InodeKey&) = default;
};

/// The device is left out where it can be: each private layer is one of its own, over the same
/// files. `scope` tells processes apart.
InodeKey key_of(const FileEntry& entry, std::uint64_t scope);

class InodeNames {
 public:
  /// The path under which a file with several links was seen first; of any other, its own.
  std::string name(const FileEntry& entry, std::uint64_t scope, const std::string& path);
  /// It is about to get a second link.
  void will_be_linked(const FileEntry& entry, std::uint64_t scope, const std::string& path);
  /// One of its links is about to go.
  void will_be_unlinked(const FileEntry& entry, std::uint64_t scope);

 private:
  std::map<InodeKey, std::string> names_;
};

}  // namespace gordian
