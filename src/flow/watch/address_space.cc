// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "flow/watch/net_effect.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <string_view>
#include <vector>

namespace gordian {
namespace {

using What = MappingChange::What;

bool is_stack(const Mapping& mapping) {
  return mapping.path.starts_with("[stack");
}
bool is_heap(const Mapping& mapping) {
  return mapping.path == "[heap]";
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

// struct malloc_state, from glibc 2.27 on: 127 list heads of two words; flags, the lists of small
// blocks and the end of the heap stand before; a bit map, links and sizes after.
constexpr std::size_t kHeads = 127, kEnough = 48;
constexpr std::uint64_t kBefore = 0x70, kAfter = 0x38;

bool is_c_library(const std::string& path) {
  return base_name(path).starts_with("libc.so") || base_name(path).starts_with("libc-");
}

std::vector<std::uint64_t> words_of(const MemoryImage& image, const Mapping& mapping) {
  std::vector<std::uint64_t> words((mapping.end.value() - mapping.begin.value()) / 8);
  if (!image.read(mapping.begin.value(), words.data(), words.size() * 8)) words.clear();
  return words;
}

/// An empty list: both ways lead to the head, which is taken to begin two words before.
bool is_empty_head(const std::vector<std::uint64_t>& words, std::size_t i, std::uint64_t base) {
  return i + 1 < words.size() && words[i] == base + i * 8 - 16 && words[i + 1] == words[i];
}

/// A list that is not: both ways lead to some place that is no small number, as the map of bits
/// behind the heads would be.
bool is_head(const std::vector<std::uint64_t>& words, std::size_t i, std::uint64_t base) {
  constexpr std::uint64_t kLowest = 0x10000, kHighest = std::uint64_t{1} << 47;
  const auto is_address = [&](std::uint64_t word) {
    return word >= kLowest && word < kHighest && word % 16 == 0;
  };
  if (is_empty_head(words, i, base)) return true;
  return i + 1 < words.size() && is_address(words[i]) && is_address(words[i + 1]);
}

}  // namespace

std::vector<MappingChange> address_space_changes(std::span<const Mapping> before,
                                                 std::span<const Mapping> after) {
  std::vector<MappingChange> all, result;
  for (std::uint64_t address : borders(before, after)) {
    compare(address, mapping_at(before, address), mapping_at(after, address), all);
  }
  for (MappingChange& change : all) {
    if (std::find(result.begin(), result.end(), change) == result.end()) {
      result.push_back(std::move(change));
    }
  }
  return result;
}

std::optional<ByteRange> allocator_state(const MemoryImage& image,
                                         std::span<const Mapping> mappings) {
  for (const Mapping& mapping : mappings) {
    if (!mapping.writable || !is_c_library(mapping.path)) continue;
    const std::uint64_t base = mapping.begin.value();
    const auto words = words_of(image, mapping);
    std::size_t empty = 0;
    for (std::size_t i = 0; i < words.size();) {
      if (!is_empty_head(words, i, base)) {
        ++i;
        continue;
      }
      std::size_t end = i;  // where the last head ends is where the first can be told from
      for (empty = 0; is_head(words, end, base); end += 2) empty += is_empty_head(words, end, base);
      const bool found = empty >= kEnough && end * 8 >= kHeads * 16 + kBefore;
      if (found)
        return ByteRange{base + end * 8 - kHeads * 16 - kBefore, kBefore + kHeads * 16 + kAfter};
      i = end;
    }
  }
  return std::nullopt;
}

}  // namespace gordian
