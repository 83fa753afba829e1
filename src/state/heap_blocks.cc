// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "state/heap_blocks.h"

#include <algorithm>
#include <array>

namespace gordian {
namespace {

// A chunk is {size of the one before, its own size with three flags, bytes of the user ...}; the
// user's bytes reach into the first field of the next chunk.
constexpr std::uint64_t kHeader = 16, kOverlap = 8, kSmallest = 32, kAlignment = 16;
constexpr std::uint64_t kSizeField = 8;
constexpr std::uint64_t kPreviousInUse = 1, kMapped = 2, kFlags = 7;
constexpr std::uint64_t kThreadHeapAlignment = 64u << 20;
constexpr std::uint64_t kPage = 4096;
constexpr std::uint64_t kMostBlocks = 16u << 20;
constexpr std::uint64_t kMostPagesSearched = 4096;  // of a mapping, without finding any

using Chunk = std::array<std::uint64_t, 2>;

std::uint64_t size_of(const Chunk& chunk) {
  return chunk[1] & ~kFlags;
}

bool plausible(const Chunk& chunk, std::uint64_t at, std::uint64_t end) {
  const std::uint64_t size = size_of(chunk);
  return size >= kSmallest && size % kAlignment == 0 && size <= end - at && !(chunk[1] & kMapped);
}

}  // namespace

HeapBlocks::HeapBlocks(const MemoryImage& image, std::span<const Mapping> mappings) {
  for (const Mapping& mapping : mappings) {
    if (!mapping.readable || !mapping.writable || mapping.end <= mapping.begin) continue;
    if (mapping.path == "[heap]") {
      walk_chunks(image, mapping.begin.value(), mapping.end.value());
    } else if (mapping.path.empty()) {
      if (mapping.begin.value() % kThreadHeapAlignment == 0) walk_thread_heap(image, mapping);
      walk_mapped_chunks(image, mapping);
    }
  }
  std::sort(blocks_.begin(), blocks_.end(),
            [](const Block& a, const Block& b) { return a.range.begin < b.range.begin; });
}

/// True when the chain of chunks ends exactly at `end`, as that of a whole heap does.
bool HeapBlocks::walk_chunks(const MemoryImage& image, std::uint64_t begin, std::uint64_t end) {
  std::uint64_t at = begin;
  auto chunk = image.value<Chunk>(at);
  while (chunk && blocks_.size() < kMostBlocks && plausible(*chunk, at, end)) {
    const std::uint64_t size = size_of(*chunk), next_at = at + size;
    if (end - next_at < kHeader) return true;  // the last one is the memory not yet handed out
    const auto next = image.value<Chunk>(next_at);
    if (!next) return false;
    const bool in_use = (*next)[1] & kPreviousInUse;
    if (!in_use && (*next)[0] != size) return false;
    blocks_.push_back({{at + kHeader, size - kHeader + kOverlap}, in_use});
    at = next_at;
    chunk = next;
  }
  return false;
}

/// A heap of another thread begins with two headers whose sizes differ between versions of glibc:
/// the first place behind them from which the chain runs to the end is its beginning.
void HeapBlocks::walk_thread_heap(const MemoryImage& image, const Mapping& mapping) {
  const std::uint64_t begin = mapping.begin.value(), end = mapping.end.value();
  const auto arena = image.value<std::uint64_t>(begin);
  if (!arena) return;
  const bool first = *arena > begin && *arena < begin + kPage;
  const std::uint64_t from = first ? *arena + 0x850 : begin + 0x20;
  const std::size_t before = blocks_.size();
  for (std::uint64_t at = from & ~(kAlignment - 1); at < from + 0x100; at += kAlignment) {
    if (walk_chunks(image, at, end)) return;
    blocks_.resize(before);
  }
}

void HeapBlocks::walk_mapped_chunks(const MemoryImage& image, const Mapping& mapping) {
  const std::uint64_t end = mapping.end.value();
  std::uint64_t searched = 0;
  for (std::uint64_t at = mapping.begin.value(); end - at >= kPage;) {
    if (++searched > kMostPagesSearched || blocks_.size() >= kMostBlocks) return;
    const auto chunk = image.value<Chunk>(at);
    const std::uint64_t size = chunk ? size_of(*chunk) : 0;
    const bool is_chunk = chunk && (*chunk)[0] == 0 && ((*chunk)[1] & kFlags) == kMapped &&
                          size >= kPage && size % kPage == 0 && size <= end - at;
    if (is_chunk) blocks_.push_back({{at + kHeader, size - kHeader}, true});
    if (is_chunk) searched = 0;
    at += is_chunk ? size : kPage;
    if (at >= end) return;
  }
}

const HeapBlocks::Block* HeapBlocks::find(std::uint64_t address) const {
  auto after =
      std::upper_bound(blocks_.begin(), blocks_.end(), address,
                       [](std::uint64_t at, const Block& block) { return at < block.range.begin; });
  if (after == blocks_.begin()) return nullptr;
  const Block& block = *std::prev(after);
  if (fields_ != nullptr) {  // its own size, and that of the next with the mark that it is in use
    fields_->push_back({block.range.begin - kSizeField, kSizeField});
    fields_->push_back({block.range.end(), kSizeField});
  }
  return address < block.range.end() ? &block : nullptr;
}

std::optional<ByteRange> HeapBlocks::block_of(std::uint64_t address) const {
  const Block* block = find(address);
  if (block == nullptr || !block->in_use) return std::nullopt;
  return block->range;
}

bool HeapBlocks::has_block_in(ByteRange range) const {
  const auto first =
      std::lower_bound(blocks_.begin(), blocks_.end(), range.begin,
                       [](const Block& block, std::uint64_t at) { return block.range.begin < at; });
  return first != blocks_.end() && first->range.begin < range.end();
}

bool HeapBlocks::is_free(std::uint64_t address) const {
  const Block* block = find(address);
  return block != nullptr && !block->in_use;
}

}  // namespace gordian
