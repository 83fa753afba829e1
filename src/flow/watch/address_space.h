// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What of an address space is told from its mappings alone: how it changed between two moments, and
// where malloc keeps its books. Pure.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "state/range_set.h"
#include "symbols/process_memory.h"

namespace gordian {

struct MappingChange {
  enum class What : std::uint8_t {
    heap_end,  ///< sbrk(): the heap grew or shrank
    added,     ///< memory without a file, where there was nothing
    loaded,    ///< a file, where there was nothing
    removed,
    rights,
  };
  What what = What::added;
  std::string name;  ///< "heap end", "memory mapped", "libresolv.so.2", "memory at 0x7f12"
  bool operator==(const MappingChange&) const = default;
};

/// Stacks grow by themselves and are left out. Neighbours that the kernel joins or splits are no
/// change. Each name once.
std::vector<MappingChange> address_space_changes(std::span<const Mapping> before,
                                                 std::span<const Mapping> after);

/// The bookkeeping of glibc's malloc inside of the C library's data. Every test changes it, and
/// only where later blocks lie depends on it, which no result should. Found by its form, as no
/// symbol names it: a long row of list heads, of which an empty one points to itself. nullopt when
/// there is none, or another malloc.
std::optional<ByteRange> allocator_state(const MemoryImage& image,
                                         std::span<const Mapping> mappings);

}  // namespace gordian
