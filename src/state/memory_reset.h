// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Gives one object in a held process the value it had before, and nothing else. An object is more
// than its bytes: heap blocks that it owned and that are gone by now are made anew (by the
// program's own malloc, so that it may free them), and pointers to them are corrected.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runtime/native/held_process.h"
#include "state/range_set.h"
#include "symbols/process_memory.h"

namespace gordian {

/// The heap block that an address lies in, if any.
using BlockOf = std::function<std::optional<ByteRange>(std::uint64_t)>;

/// A process at one moment.
struct MemoryMoment {
  const MemoryImage& image;
  BlockOf block_of;
};

struct MemoryReset {
  struct Piece {
    std::uint64_t address = 0;  ///< where it goes; for a block to be made: where it was
    std::string bytes;
    bool made_anew = false;
  };
  std::vector<Piece> pieces;
};

/// What has to be written so that the bytes at is[i] (after) mean what those at was[i] (before)
/// did. nullopt when memory cannot be read, or the object graph is too large.
std::optional<MemoryReset> plan_reset(std::span<const ByteRange> was, std::span<const ByteRange> is,
                                      const MemoryMoment& before, const MemoryMoment& after);

/// False when some byte could not be written.
bool apply(const MemoryReset& reset, HeldProcess& held);

}  // namespace gordian
