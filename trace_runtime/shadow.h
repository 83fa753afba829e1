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

#include <emmintrin.h>
#include <stddef.h>
#include <stdint.h>

#define GORDIAN_TRACE_ABI extern "C" __attribute__((visibility("default")))
// Functions of others: a program that brings its own keeps them.
#define GORDIAN_TRACE_REPLACES GORDIAN_TRACE_ABI __attribute__((weak))
#define GORDIAN_TRACE_INLINE inline __attribute__((always_inline))
#define GORDIAN_TRACE_CALLER (reinterpret_cast<uint64_t>(__builtin_return_address(0)))

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
  kAddressMask = (uint64_t{1} << 44) - 1,
  kLanes = 0x100000000000,
  kLanesSize = uint64_t{1} << 45,
  kSites = 0x300000000000,
  kGranules = 0x400000000000,
  kBlocks = 0x600000000000,
  kTableSize = uint64_t{1} << 44,  // of each of the three
  kPages = 0x500000000000,
  kPagesSize = uint64_t{1} << 35,
};

GORDIAN_TRACE_INLINE Lane* lanes(uint64_t a) {
  return reinterpret_cast<Lane*>(kLanes + ((a & kAddressMask) << 1));
}
GORDIAN_TRACE_INLINE Site* site(uint64_t a) {
  return reinterpret_cast<Site*>(kSites + (a & kAddressMask & ~uint64_t{7}));
}
GORDIAN_TRACE_INLINE Granule* granule(uint64_t a) {
  return reinterpret_cast<Granule*>(kGranules + (a & kAddressMask & ~uint64_t{7}));
}
GORDIAN_TRACE_INLINE Block* block_slot(uint64_t a) {
  return reinterpret_cast<Block*>(kBlocks + (a & kAddressMask & ~uint64_t{15}));
}
/// The block that covers the first byte of a page.
GORDIAN_TRACE_INLINE uint64_t* page_block(uint64_t a) {
  return reinterpret_cast<uint64_t*>(kPages + ((a & kAddressMask) >> 12 << 3));
}

/// What the fast paths compare with. Reads of these two lanes are of no interest; writes leave
/// `writer`. During initialisation on first use `writer` is kBefore: any test would have done it.
struct State {
  Lane quiet, own;  // quiet: kBefore, or kSeen when what was there before is told too
  Lane writer;
  bool mapped;
  bool recording;  // a test is running, and is told of
};
extern State state;
extern __thread uint32_t context __attribute__((tls_model("initial-exec")));

/// Maps the shadow; the first call counts.
void start();
void read_slowly(uint64_t address, uint32_t size, uint64_t pc);
void write_slowly(uint64_t address, uint32_t size);
void read_range(const void* from, size_t size, uint64_t pc);
void write_range(const void* to, size_t size, uint64_t pc);
/// Before somebody whose stores are not seen may write there: write_range() comes afterwards, for
/// as much as was written.
void save_range(void* to, size_t size);
/// Memory that has just appeared, or has gone: nobody has written it.
void forget_range(uint64_t address, size_t size);

template <int kSize>
GORDIAN_TRACE_INLINE bool all_lanes(uint64_t address, Lane a, Lane b) {
  const Lane* lane = lanes(address);
  if (kSize == 1) return *lane == a || *lane == b;
  __m128i found = kSize == 2   ? _mm_cvtsi32_si128(*reinterpret_cast<const int*>(lane))
                  : kSize == 4 ? _mm_loadl_epi64(reinterpret_cast<const __m128i*>(lane))
                               : _mm_loadu_si128(reinterpret_cast<const __m128i*>(lane));
  __m128i equal = _mm_cmpeq_epi16(found, _mm_set1_epi16(static_cast<short>(a)));
  if (a != b) {
    equal = _mm_or_si128(equal, _mm_cmpeq_epi16(found, _mm_set1_epi16(static_cast<short>(b))));
  }
  constexpr unsigned kFull = kSize >= 8 ? 0xffff : (1u << (kSize * 2 & 15)) - 1;
  return (static_cast<unsigned>(_mm_movemask_epi8(equal)) & kFull) == kFull;
}

template <int kSize>
GORDIAN_TRACE_INLINE void on_read(uint64_t address, uint64_t pc) {
  if (kSize == 16) {
    on_read<(kSize > 8 ? 8 : kSize)>(address, pc);
    on_read<(kSize > 8 ? 8 : kSize)>(address + 8, pc);
  } else if (__builtin_expect(!all_lanes<kSize>(address, state.quiet, state.own), 0)) {
    read_slowly(address, kSize, pc);
  }
}

/// Called before the store, so that the old value can still be saved.
template <int kSize>
GORDIAN_TRACE_INLINE void on_write(uint64_t address, uint64_t pc) {
  if (kSize == 16) {
    on_write<(kSize > 8 ? 8 : kSize)>(address, pc);
    on_write<(kSize > 8 ? 8 : kSize)>(address + 8, pc);
    return;
  }
  const Lane writer = state.writer;
  if (__builtin_expect(!all_lanes<kSize>(address, writer, writer), 0)) {
    write_slowly(address, kSize);
  }
  const Site here = {static_cast<uint32_t>(pc), context};
  *site(address) = here;
  if (kSize > 1 && __builtin_expect((address & 7) + kSize > 8, 0)) *site(address + 7) = here;
}

}  // namespace gordian_trace
