// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The law of this folder: it lives in somebody else's program and sees each of its loads and
// stores. libc only; no libstdc++, no exceptions, no locks, no allocation. Only the entry points of
// the compilers and of the functions that are replaced are visible. Shadow memory is updated
// without synchronisation: races of the program may give a wrong writer, never a crash.
//
// For each byte of the program the shadow knows which test wrote it last (its *lane*: position in
// this process plus one, 0 = before the first test), and for each 8 bytes (a *granule*) where it
// was written, what the running test has read of it, and whether its old value is in the undo log.
// For each 16 bytes it has room for a block of the heap that begins there. Address bits above 44
// are dropped: code and heap (0x55..), libraries and stacks (0x7f..) and programs at fixed
// addresses (0x00..) stay apart.
#pragma once

#include <dlfcn.h>
#include <emmintrin.h>
#include <stddef.h>
#include <stdint.h>

#include "target/trace/contexts.h"

#define GORDIAN_TRACE_ABI extern "C" __attribute__((visibility("default")))
// Functions of others: a program that brings its own keeps them.
#define GORDIAN_TRACE_REPLACES GORDIAN_TRACE_ABI __attribute__((weak))
#define GORDIAN_TRACE_INLINE inline __attribute__((always_inline))
#define GORDIAN_TRACE_CALLER (reinterpret_cast<uint64_t>(__builtin_return_address(0)))

// The function behind one of ours, which would have been called without us:
// GORDIAN_TRACE_NEXT(read)(fd, to, size). Looked up at its first use.
#define GORDIAN_TRACE_NEXT(function) GORDIAN_TRACE_NEXT_AS(decltype(&::function), #function)
#define GORDIAN_TRACE_NEXT_AS(Function, name)                               \
  ([] {                                                                     \
    static Function found;                                                  \
    if (!found) found = reinterpret_cast<Function>(dlsym(RTLD_NEXT, name)); \
    return found;                                                           \
  }())

namespace gordian_trace {

using Lane = uint16_t;
enum : Lane { kBefore = 0, kSeen = 0xffff };

struct Site {
  uint32_t pc, node;
};

struct Granule {
  Lane reader;     // the last test that `read` is about
  uint8_t read;    // its bytes that were told already
  uint8_t joined;  // bit i: bytes i and i+1 were written as one scalar
  Lane logged;     // the last test that saved its old value
  uint16_t reserved;
};

struct Block {
  uint32_t size;  // saturated
  uint32_t node, pc;
  Lane test;       // that allocated it
  uint16_t state;  // BlockState; 0 = freed
};
enum BlockState : uint16_t {
  kLive = 1,
  kOnFirstUse = 2,  // allocated while something was initialised that any test would initialise
  kTold = 4,
  kMapping = 8,  // made by mmap(): may be protected, or be partly gone
};

enum : uint64_t {
  kAddressBits = 44,
  kSites = 0x100000000000,
  kLanes = 0x200000000000,
  kLanesSize = uint64_t{1} << 45,
  kGranules = 0x400000000000,
  kPages = 0x500000000000,
  kPagesSize = uint64_t{1} << 35,
  kBlocks = 0x600000000000,
  kTableSize = uint64_t{1} << 44,  // of sites, granules, blocks
};

/// The lower bits of an address, moved to the left by `kScale`. Shifts and a single bit (tables
/// begin where that is enough) are shorter than masks of 8 bytes.
template <int kScale>
GORDIAN_TRACE_INLINE uint64_t in_table(uint64_t a) {
  constexpr int kDropped = 64 - kAddressBits;
  return a << kDropped >> (kDropped - kScale);
}
GORDIAN_TRACE_INLINE Lane* lanes(uint64_t a) {
  return reinterpret_cast<Lane*>(kLanes | in_table<1>(a));
}
GORDIAN_TRACE_INLINE Site* site(uint64_t a) {
  return reinterpret_cast<Site*>(kSites | in_table<0>(a & ~uint64_t{7}));
}
GORDIAN_TRACE_INLINE Granule* granule(uint64_t a) {
  return reinterpret_cast<Granule*>(kGranules | in_table<0>(a & ~uint64_t{7}));
}
GORDIAN_TRACE_INLINE Block* block_slot(uint64_t a) {
  return reinterpret_cast<Block*>(kBlocks | in_table<0>(a & ~uint64_t{15}));
}
/// The block that covers the first byte of a page.
GORDIAN_TRACE_INLINE uint64_t* page_block(uint64_t a) {
  return reinterpret_cast<uint64_t*>(kPages | in_table<0>(a) >> 12 << 3);
}

/// What the fast paths compare with, each as many times as fit into one comparison. Reads of the
/// first two are of no interest; writes leave `writer`. During initialisation on first use `writer`
/// is kBefore: any test would have done it.
struct State {
  struct alignas(16) Row {
    Lane lane[8];
    operator Lane() const { return lane[0]; }
    void operator=(Lane value) {
      for (Lane& each : lane) each = value;
    }
  };
  Row quiet, own;  // quiet: kBefore, or kSeen when what was there before is told too
  Row writer;
  bool mapped;
  bool recording;    // a test is running, and is told of
  uint32_t modules;  // sources that were compiled to be traced and are loaded
};
extern State state;

/// Maps the shadow; the first call counts.
void start();
void read_slowly(uint64_t address, uint32_t size, uint64_t pc);
void write_slowly(uint64_t address, uint32_t size, uint64_t pc);
/// Notes where it was written, in a call whose context is not known yet.
void site_slowly(uint64_t address, uint32_t size, uint64_t pc);
void read_range(const void* from, size_t size, uint64_t pc);
void write_range(const void* to, size_t size, uint64_t pc);
/// Before somebody whose stores are not seen may write there: write_range() comes afterwards, for
/// as much as was written.
void save_range(void* to, size_t size);
/// Memory that has just appeared, or has gone: nobody has written it.
void forget_range(uint64_t address, size_t size);

template <int kSize>
GORDIAN_TRACE_INLINE __m128i load_lanes(const Lane* lane) {
  return kSize == 4 ? _mm_loadl_epi64(reinterpret_cast<const __m128i*>(lane))
                    : _mm_loadu_si128(reinterpret_cast<const __m128i*>(lane));
}
template <int kSize>
GORDIAN_TRACE_INLINE bool all_set(__m128i equal) {
  constexpr int kFull = kSize >= 8 ? 0xffff : 0xff;
  return (_mm_movemask_epi8(equal) & kFull) == kFull;
}
GORDIAN_TRACE_INLINE __m128i row(const State::Row& of) {
  return _mm_load_si128(reinterpret_cast<const __m128i*>(of.lane));
}

template <int kSize>
GORDIAN_TRACE_INLINE bool is_quiet(uint64_t address) {
  const Lane* lane = lanes(address);
  if (kSize <= 2) {
    const Lane last = lane[kSize - 1];
    const bool quiet = lane[0] == state.quiet || lane[0] == state.own;
    return quiet && (kSize == 1 || last == state.quiet || last == state.own);
  }
  const __m128i found = load_lanes<kSize>(lane);
  return all_set<kSize>(_mm_or_si128(_mm_cmpeq_epi16(found, row(state.quiet)),
                                     _mm_cmpeq_epi16(found, row(state.own))));
}

template <int kSize>
GORDIAN_TRACE_INLINE bool is_written(uint64_t address) {
  const Lane* lane = lanes(address);
  if (kSize <= 2) return lane[0] == state.writer && lane[kSize - 1] == state.writer;
  return all_set<kSize>(_mm_cmpeq_epi16(load_lanes<kSize>(lane), row(state.writer)));
}

// The compilers' entry points consist of these: all that is slow is left with a jump, so that what
// is quick needs no frame.

template <int kSize>
GORDIAN_TRACE_INLINE void on_read(uint64_t address, uint64_t pc) {
  if (kSize == 16) {
    on_read<(kSize > 8 ? 8 : kSize)>(address, pc);
    on_read<(kSize > 8 ? 8 : kSize)>(address + 8, pc);
  } else if (__builtin_expect(!is_quiet<kSize>(address), 0)) {
    read_slowly(address, kSize, pc);
  }
}

/// Called before the store, so that the old value can still be saved. What a thread does on its own
/// stack is never state.
template <int kSize>
GORDIAN_TRACE_INLINE void on_write(uint64_t address, uint64_t pc) {
  if (kSize == 16) {
    on_write<(kSize > 8 ? 8 : kSize)>(address, pc);
    on_write<(kSize > 8 ? 8 : kSize)>(address + 8, pc);
    return;
  }
  if (address - me.stack_begin < me.stack_size) return;
  if (__builtin_expect(!is_written<kSize>(address), 0)) return write_slowly(address, kSize, pc);
  const uint32_t node = known_context();
  const bool straddles = kSize > 1 && (address & 7) + kSize > 8;
  if (__builtin_expect(!node || straddles, 0)) return site_slowly(address, kSize, pc);
  // In one store.
  *reinterpret_cast<uint64_t*>(site(address)) = static_cast<uint32_t>(pc) | uint64_t{node} << 32;
}

}  // namespace gordian_trace
