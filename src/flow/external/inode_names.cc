// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "flow/external/inode_names.h"

namespace gordian {

InodeKey key_of(const FileEntry& entry, std::uint64_t scope) {
  if (entry.born_ns != 0) return {entry.inode, entry.born_ns, 0, 0};
  return {entry.inode, 0, entry.device, scope};
}

std::string InodeNames::name(const FileEntry& entry, std::uint64_t scope, const std::string& path) {
  if (entry.is_directory()) return path;
  const InodeKey key = key_of(entry, scope);
  if (entry.links > 1) return names_.try_emplace(key, path).first->second;
  auto known = names_.find(key);
  return known == names_.end() ? path : known->second;
}

void InodeNames::will_be_linked(const FileEntry& entry, std::uint64_t scope,
                                const std::string& path) {
  if (!entry.is_directory()) names_.try_emplace(key_of(entry, scope), path);
}

void InodeNames::will_be_unlinked(const FileEntry& entry, std::uint64_t scope) {
  if (entry.links <= 1) names_.erase(key_of(entry, scope));
}

}  // namespace gordian
