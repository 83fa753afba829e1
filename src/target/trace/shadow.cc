// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "target/trace/shadow.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "target/trace/blocks.h"
#include "target/trace/places.h"
#include "target/trace/record.h"

namespace gordian_trace {

State state;

namespace {

enum : uint64_t { kGranuleSize = 8, kPage = 4096 };

uint64_t granule_begin(uint64_t address) {
  return address & ~(kGranuleSize - 1);
}

/// Bytes of the granule at `begin` that the access from `address` to `end` touches.
uint32_t touched(uint64_t begin, uint64_t address, uint64_t end) {
  uint32_t first = address > begin ? static_cast<uint32_t>(address - begin) : 0;
  uint32_t past = end < begin + kGranuleSize ? static_cast<uint32_t>(end - begin) : 8;
  return ((1u << past) - 1) & ~((1u << first) - 1);
}

/// Tells the bytes of one granule that were not told before, those of one writer at a time.
void read_granule(uint64_t begin, uint32_t bytes, uint64_t pc) {
  Lane* lane = lanes(begin);
  Granule* known = granule(begin);
  if (known->reader != state.own) {
    known->reader = state.own;
    known->read = 0;
  }
  bytes &= ~static_cast<uint32_t>(known->read);
  for (int i = 0; i < 8; ++i) {
    if (!(bytes >> i & 1)) continue;
    const Lane writer = lane[i];
    if (writer == state.quiet || writer == state.own) continue;
    int past = i;
    while (past < 8 && (bytes >> past & 1) && lane[past] == writer) {
      known->read |= static_cast<uint8_t>(1u << past);
      if (writer == kBefore) lane[past] = kSeen;
      bytes &= ~(1u << past);
      ++past;
    }
    record_read(begin + static_cast<uint64_t>(i), static_cast<uint32_t>(past - i), writer, pc);
  }
}

void zero_lanes(uint64_t begin, uint64_t end) {
  volatile Lane* lane = reinterpret_cast<volatile Lane*>(begin);
  for (; lane < reinterpret_cast<volatile Lane*>(end); ++lane) *lane = kBefore;
}

/// Before the constructors of all libraries: templates of the standard library that are compiled
/// into the program are called by them, too. libc is not ready then; the rest has to wait.
typedef void (*Early)(int, char**, char**);
__attribute__((section(".preinit_array"), used))
const Early kEarly = [](int, char**, char**) { start(); };

__attribute__((constructor(101))) void start_telling() {
  start_records();
  is_on_stack(0);  // learns about this one: it is the main thread's
}

}  // namespace

void start() {
  if (state.mapped) return;
  reserve_at(kLanes, kLanesSize);
  reserve_at(kSites, kTableSize);
  reserve_at(kGranules, kTableSize);
  reserve_at(kBlocks, kTableSize);
  reserve_at(kPages, kPagesSize);
  start_contexts();
  start_undo();
  state.mapped = true;
}

__attribute__((noinline)) void read_slowly(uint64_t address, uint32_t size, uint64_t pc) {
  if (!state.mapped || !state.recording) return;
  const uint64_t end = address + size;
  if (is_on_stack(address)) {  // never state, and quick next time
    for (uint32_t i = 0; i < size; ++i) lanes(address)[i] = state.quiet;
    return;
  }
  if (is_environ(address)) return environ_read(pc);
  for (uint64_t begin = granule_begin(address); begin < end; begin += kGranuleSize) {
    read_granule(begin, touched(begin, address, end), pc);
  }
}

__attribute__((noinline)) void site_slowly(uint64_t address, uint32_t size, uint64_t pc) {
  const Site here = {static_cast<uint32_t>(pc), context()};
  *site(address) = here;
  *site(address + size - 1) = here;
}

__attribute__((noinline)) void write_slowly(uint64_t address, uint32_t size, uint64_t pc) {
  if (!state.mapped) return;
  const uint64_t end = address + size;
  const bool stack = is_on_stack(address);
  const bool log = state.recording && state.writer != kBefore && !stack;
  for (uint64_t begin = granule_begin(address); begin < end; begin += kGranuleSize) {
    const uint32_t bytes = touched(begin, address, end);
    if (log) save_granule(begin, bytes);
    for (int i = 0; i < 8; ++i) {
      if (bytes >> i & 1) lanes(begin)[i] = stack ? state.quiet : state.writer;
    }
  }
  if (!stack) site_slowly(address, size, pc);
}

void read_range(const void* from, size_t size, uint64_t pc) {
  if (!state.mapped) return;
  uint64_t at = reinterpret_cast<uint64_t>(from);
  const uint64_t end = at + size;
  for (; at + 8 <= end; at += 8) on_read<8>(at, pc);
  if (end - at >= 4) on_read<4>(at, pc), at += 4;
  for (; at < end; ++at) on_read<1>(at, pc);
}

/// In aligned parts: what of it is put back is told by them.
void write_range(const void* to, size_t size, uint64_t pc) {
  if (!state.mapped) return;
  uint64_t at = reinterpret_cast<uint64_t>(to);
  if (at - me.stack_begin < me.stack_size) return;
  const uint64_t end = at + size;
  for (; at < end && (at & 7); ++at) on_write<1>(at, pc);
  for (; at + 8 <= end; at += 8) on_write<8>(at, pc);
  for (; at < end; ++at) on_write<1>(at, pc);
}

void save_range(void* to, size_t size) {
  constexpr size_t kMost = size_t{1} << 20;
  const uint64_t at = reinterpret_cast<uint64_t>(to);
  if (!state.mapped || !state.recording || state.writer == kBefore || is_on_stack(at)) return;
  const uint64_t end = at + (size < kMost ? size : kMost);
  for (uint64_t begin = granule_begin(at); begin < end; begin += kGranuleSize) {
    save_granule(begin, 0);
  }
}

/// Whole pages of the shadow are given back: that makes them zero, and costs no memory.
void forget_range(uint64_t address, size_t size) {
  if (!state.mapped) return;
  const uint64_t begin = reinterpret_cast<uint64_t>(lanes(address));
  const uint64_t end = begin + 2 * size;
  const uint64_t first = (begin + kPage - 1) & ~(kPage - 1), last = end & ~(kPage - 1);
  if (first >= last) return zero_lanes(begin, end);
  zero_lanes(begin, first);
  const int before = errno;
  madvise(reinterpret_cast<void*>(first), last - first, MADV_DONTNEED);
  errno = before;
  zero_lanes(last, end);
}

}  // namespace gordian_trace
