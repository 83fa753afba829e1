// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The bookkeeping of glibc's malloc inside of the C library's data. Every test changes it, and
// only where later blocks lie depends on it, which no result should.
#pragma once

#include <optional>
#include <span>

#include "state/state_change.h"
#include "symbols/memory_image.h"
#include "symbols/process_memory.h"

namespace gordian {

/// Found by its form, as no symbol names it: a long row of list heads, of which an empty one points
/// to itself. nullopt when there is none, or another malloc.
std::optional<ByteRange> allocator_state(const MemoryImage& image,
                                         std::span<const Mapping> mappings);

}  // namespace gordian
