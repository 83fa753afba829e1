// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "target/trace/blocks.h"

#include "target/trace/record.h"

namespace gordian_trace {
namespace {

enum : uint64_t { kPage = 4096, kStep = 16, kLargestMapping = uint64_t{1} << 30 };

uint64_t size_of(const Block& block) {
  return block.size ? block.size : 1;
}

bool covers(uint64_t begin, const Block& block, uint64_t address) {
  return address >= begin && address < begin + size_of(block);
}

void note_block(uint64_t begin, size_t size, uint64_t pc) {
  const uint64_t end = begin + size;
  Block* block = block_slot(begin);
  block->size = size > 0xffffffff ? 0xffffffff : static_cast<uint32_t>(size);
  block->node = context();
  block->pc = static_cast<uint32_t>(pc);
  block->test = state.recording ? state.own : +kBefore;
  block->state = state.recording && state.writer == kBefore ? kLive | kOnFirstUse : +kLive;
  for (uint64_t page = (begin + kPage - 1) & ~(kPage - 1); page < end; page += kPage) {
    *page_block(page) = begin;
  }
}

void take_bytes(uint64_t begin, uint64_t end, uint64_t pc) {
  const __m128i writer = row(state.writer);
  const Site here = {static_cast<uint32_t>(pc), context()};
  for (uint64_t address = begin; address < end; address += 8) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(lanes(address)), writer);
    *site(address) = here;
  }
}

}  // namespace

void block_allocated(void* at, size_t size, uint64_t pc) {
  if (!state.mapped || !at) return;
  const uint64_t begin = reinterpret_cast<uint64_t>(at);
  note_block(begin, size, pc);
  if (state.recording) note_allocation(begin);
  take_bytes(begin, begin + size, pc);
}

void mapping_made(void* at, size_t size, uint64_t pc) {
  if (!state.mapped) return;
  const uint64_t begin = reinterpret_cast<uint64_t>(at);
  forget_range(begin, size);
  if (size > kLargestMapping) return;
  note_block(begin, size, pc);
  block_slot(begin)->state |= kMapping;
}

void mapping_gone(void* at, size_t size) {
  if (!state.mapped) return;
  const uint64_t begin = reinterpret_cast<uint64_t>(at);
  forget_range(begin, size);
  if (block_slot(begin)->state & kMapping) block_slot(begin)->state = 0;
}

void block_moved(void* from, void* to, size_t size, uint64_t pc) {
  if (!state.mapped) return;
  const uint64_t old = reinterpret_cast<uint64_t>(from), begin = reinterpret_cast<uint64_t>(to);
  const uint64_t kept = from ? block_slot(old)->size & ~uint64_t{7} : 0;
  block_freed(from);
  note_block(begin, size, pc);
  if (state.recording) note_allocation(begin);
  uint64_t at = 0;
  for (; at < kept && at < size && from != to; at += 8) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(lanes(begin + at)),
                     _mm_loadu_si128(reinterpret_cast<const __m128i*>(lanes(old + at))));
    *site(begin + at) = *site(old + at);
  }
  if (from == to) at = kept < size ? kept : size & ~uint64_t{7};
  if (at < size) take_bytes(begin + at, begin + size, pc);
}

void block_freed(void* at) {
  if (state.mapped && at) block_slot(reinterpret_cast<uint64_t>(at))->state = 0;
}

FoundBlock find_block(uint64_t address) {
  FoundBlock gone = {Lookup::unknown, 0, nullptr};
  const uint64_t page = address & ~(kPage - 1);
  for (uint64_t at = address & ~(kStep - 1);; at -= kStep) {
    const Block* block = block_slot(at);
    if (block->state) {
      if (covers(at, *block, address)) return {Lookup::live, at, block};
      break;  // a live one ends before: only one that is older could cover it
    }
    if (block->size && gone.lookup == Lookup::unknown && covers(at, *block, address)) {
      gone = {Lookup::freed, at, block};
    }
    if (at <= page) break;
  }
  const uint64_t begin = *page_block(address);
  if (begin && block_slot(begin)->size && covers(begin, *block_slot(begin), address)) {
    const Lookup lookup = block_slot(begin)->state ? Lookup::live : Lookup::freed;
    if (lookup == Lookup::live || gone.lookup == Lookup::unknown) {
      return {lookup, begin, block_slot(begin)};
    }
  }
  return gone;
}

}  // namespace gordian_trace
