// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The blocks that malloc of glibc (x86-64) has handed out, read from the size fields that stand
// before them: the main heap, the heaps of other threads, and large blocks with a mapping of their
// own. The process may have damaged its heap, or have another malloc: what does not look right ends
// the walk of that mapping, and addresses there have no block. A block lately freed may still look
// handed out: malloc keeps some for itself without a mark.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "state/range_set.h"
#include "symbols/process_memory.h"

namespace gordian {

class HeapBlocks {
 public:
  /// No block at all: for what has no heap that we can read.
  HeapBlocks() = default;
  HeapBlocks(const MemoryImage& image, std::span<const Mapping> mappings);

  /// The usable bytes of the block in use that `address` points into; up to 15 bytes more than were
  /// asked for.
  std::optional<ByteRange> block_of(std::uint64_t address) const;
  /// Whether `address` is in a block that was surely given back.
  bool is_free(std::uint64_t address) const;
  /// Whether any block, in use or not, begins in `range`.
  bool has_block_in(ByteRange range) const;
  std::size_t size() const { return blocks_.size(); }

  /// From now on, the bytes of the heap that the answers of block_of() and is_free() depend on are
  /// added to `to`. As long as they and the mappings stay as they are, so do the answers.
  void note_fields(std::vector<ByteRange>* to) { fields_ = to; }

 private:
  struct Block {
    ByteRange range;
    bool in_use = true;
  };

  const Block* find(std::uint64_t address) const;
  bool walk_chunks(const MemoryImage& image, std::uint64_t begin, std::uint64_t end);
  void walk_thread_heap(const MemoryImage& image, const Mapping& mapping);
  void walk_mapped_chunks(const MemoryImage& image, const Mapping& mapping);

  std::vector<Block> blocks_;  ///< sorted by address
  std::vector<ByteRange>* fields_ = nullptr;
};

}  // namespace gordian
