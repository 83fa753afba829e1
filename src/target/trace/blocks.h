// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The heap: which block lies where, and who allocated it. A new block belongs to the test that
// allocates it, whoever wrote there before.
#pragma once

#include "target/trace/shadow.h"

namespace gordian_trace {

void block_allocated(void* at, size_t size, uint64_t pc);
void block_freed(void* at);
/// By realloc(): what it held was written by whoever wrote it, not now.
void block_moved(void* from, void* to, size_t size, uint64_t pc);

/// By mmap(): nobody has written there yet.
void mapping_made(void* at, size_t size, uint64_t pc);
void mapping_gone(void* at, size_t size);

enum class Lookup { unknown, live, freed };
struct FoundBlock {
  Lookup lookup;
  uint64_t begin;
  const Block* block;  // of a live or freed one
};
FoundBlock find_block(uint64_t address);

}  // namespace gordian_trace
