// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "flow/watch/allocator.h"

#include <cstring>
#include <string_view>
#include <vector>

namespace gordian {
namespace {

// struct malloc_state, from glibc 2.27 on: 127 list heads of two words; flags, the lists of small
// blocks and the end of the heap stand before; a bit map, links and sizes after.
constexpr std::size_t kHeads = 127, kEnough = 48;
constexpr std::uint64_t kBefore = 0x70, kAfter = 0x38;

bool is_c_library(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  return name.starts_with("libc.so") || name.starts_with("libc-");
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
