// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors

#include "target/trace/blocks.h"
#include "target/trace/places.h"
#include "target/trace/record.h"

namespace gordian_trace {
namespace {

enum : uint32_t { kMostEntries = 64u << 20 };

struct Entry {
  uint64_t begin;
  uint64_t value;
  Lane lane[8];
  Site where;
};

Entry* entries;
uint32_t count;

/// Memory that may be looked at. What neither is data of a module nor on the heap (a mapping of the
/// program's own) may have gone.
bool is_readable(uint64_t begin, const FoundBlock& found) {
  if (found.lookup == Lookup::live) return !(found.block->state & kMapping);
  return is_static(begin);
}

/// Memory that had another meaning when it was saved, or has none any more.
bool has_gone(const FoundBlock& found) {
  if (found.lookup == Lookup::freed) return true;
  return found.lookup == Lookup::live && found.block->test == state.own &&
         !(found.block->state & kOnFirstUse);
}

/// Gives back the scalars whose bytes are all the same again. Returns the bytes that are not.
uint32_t give_back(const Entry& entry, uint64_t now) {
  Lane* lane = lanes(entry.begin);
  const uint32_t joined = granule(entry.begin)->joined;
  uint32_t left = 0;
  for (int first = 0; first < 8;) {
    int past = first + 1;
    while (past < 8 && (joined >> (past - 1) & 1)) ++past;
    bool same = true;
    for (int i = first; i < past; ++i) {
      if (lane[i] == state.own && ((now ^ entry.value) >> (8 * i) & 0xff)) same = false;
    }
    for (int i = first; i < past; ++i) {
      if (lane[i] != state.own) continue;
      if (same) {
        lane[i] = entry.lane[i];
      } else {
        left |= 1u << i;
      }
    }
    first = past;
  }
  return left;
}

uint32_t own_bytes(uint64_t begin) {
  uint32_t bytes = 0;
  for (int i = 0; i < 8; ++i) bytes |= (lanes(begin)[i] == state.own ? 1u : 0u) << i;
  return bytes;
}

void tell(uint64_t begin, uint32_t bytes, const FoundBlock& found) {
  for (int i = 0; i < 8; ++i) {
    if (!(bytes >> i & 1)) continue;
    int past = i;
    while (past < 8 && (bytes >> past & 1)) ++past;
    record_write(begin + static_cast<uint64_t>(i), static_cast<uint64_t>(past - i), found);
    i = past;
  }
}

void settle(const Entry& entry) {
  uint32_t bytes = own_bytes(entry.begin);
  if (!bytes) return;
  const FoundBlock found = find_block(entry.begin);
  if (has_gone(found)) return;
  if (is_readable(entry.begin, found)) {
    bytes = give_back(entry, *reinterpret_cast<const volatile uint64_t*>(entry.begin));
    if (!bytes) *site(entry.begin) = entry.where;
  }
  tell(entry.begin, bytes, found);
}

}  // namespace

void start_undo() {
  entries = static_cast<Entry*>(reserve(sizeof(Entry) * uint64_t{kMostEntries}));
}

void save_granule(uint64_t begin, uint32_t bytes) {
  Granule* known = granule(begin);
  if (known->logged != state.own) {
    known->logged = state.own;
    known->joined = 0;
    const uint32_t number = __atomic_fetch_add(&count, 1u, __ATOMIC_RELAXED);
    if (number >= kMostEntries) {
      __atomic_store_n(&count, +kMostEntries, __ATOMIC_RELAXED);
      note_loss();
      return;
    }
    Entry& entry = entries[number];
    entry.begin = begin;
    entry.value = *reinterpret_cast<const volatile uint64_t*>(begin);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(entry.lane),
                     _mm_loadu_si128(reinterpret_cast<const __m128i*>(lanes(begin))));
    entry.where = *site(begin);
  }
  known->joined |= static_cast<uint8_t>(bytes & (bytes >> 1));
}

void settle_writes() {
  find_modules();
  const uint32_t number = count < kMostEntries ? count : +kMostEntries;
  for (uint32_t i = 0; i < number; ++i) settle(entries[i]);
  count = 0;
}

}  // namespace gordian_trace
