// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// How the address space changed between two moments. Pure.
#pragma once

#include <span>
#include <string>
#include <vector>

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

}  // namespace gordian
