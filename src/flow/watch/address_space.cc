// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "flow/watch/address_space.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace gordian {
namespace {

using What = MappingChange::What;

bool is_stack(const Mapping& mapping) {
  return mapping.path.starts_with("[stack");
}
bool is_heap(const Mapping& mapping) {
  return mapping.path == "[heap]";
}

const Mapping* at(std::span<const Mapping> mappings, std::uint64_t address) {
  auto next = std::upper_bound(
      mappings.begin(), mappings.end(), address,
      [](std::uint64_t wanted, const Mapping& mapping) { return wanted < mapping.begin.value(); });
  if (next == mappings.begin()) return nullptr;
  const Mapping& found = *std::prev(next);
  return address < found.end.value() ? &found : nullptr;
}

std::set<std::uint64_t> borders(std::span<const Mapping> a, std::span<const Mapping> b) {
  std::set<std::uint64_t> all;
  for (const auto& mappings : {a, b}) {
    for (const Mapping& mapping : mappings) {
      all.insert(mapping.begin.value());
      all.insert(mapping.end.value());
    }
  }
  return all;
}

std::string base_name(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

MappingChange added(const Mapping& is) {
  if (is.path.empty() || is.path[0] == '[') return {What::added, "memory mapped"};
  return {What::loaded, base_name(is.path)};
}

bool same_rights(const Mapping& a, const Mapping& b) {
  return a.readable == b.readable && a.writable == b.writable && a.executable == b.executable;
}

/// What happened to the addresses from `address` to the next border.
void compare(std::uint64_t address, const Mapping* was, const Mapping* is,
             std::vector<MappingChange>& to) {
  if ((was && is_stack(*was)) || (is && is_stack(*is))) return;
  if ((was && is_heap(*was)) != (is && is_heap(*is))) {
    to.push_back({What::heap_end, "heap end"});
  } else if (!was && is) {
    to.push_back(added(*is));
  } else if (was && !is) {
    to.push_back({What::removed, fmt::format("memory at {:#x}", address)});
  } else if (was && is && was->path != is->path) {
    to.push_back({What::removed, fmt::format("memory at {:#x}", address)});
    to.push_back(added(*is));
  } else if (was && is && !same_rights(*was, *is)) {
    to.push_back({What::rights, fmt::format("rights of memory at {:#x}", address)});
  }
}

}  // namespace

std::vector<MappingChange> address_space_changes(std::span<const Mapping> before,
                                                 std::span<const Mapping> after) {
  std::vector<MappingChange> all, result;
  for (std::uint64_t address : borders(before, after)) {
    compare(address, at(before, address), at(after, address), all);
  }
  for (MappingChange& change : all) {
    if (std::find(result.begin(), result.end(), change) == result.end()) {
      result.push_back(std::move(change));
    }
  }
  return result;
}

}  // namespace gordian
