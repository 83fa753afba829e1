// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "target/agent/snapshot/machine.h"

#include <fcntl.h>
#include <sys/mman.h>

#include "target/agent/snapshot/raw_syscall.h"

namespace gordian_agent {
namespace {

const int kMostRanges = 512;
struct Ranges {
  Range at[kMostRanges];
  int count;
};
Ranges* ranges;  // in the first lasting block itself; the pointer never changes after that

void* guarded(size_t size, Range* range) {
  size_t whole = ((size + kPageSize - 1) & ~(kPageSize - 1)) + 2 * kPageSize;
  long at = raw(SYS_mmap, 0, whole, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at < 0 && at > -4096) return nullptr;
  if (raw(SYS_mprotect, at + (long)kPageSize, whole - 2 * kPageSize, PROT_READ | PROT_WRITE) != 0) {
    raw(SYS_munmap, at, whole);
    return nullptr;
  }
  range->begin = (uint64_t)at;
  range->end = (uint64_t)at + whole;
  return (void*)(at + (long)kPageSize);
}

}  // namespace

void* lasting_memory(size_t size) {
  if (!ranges) {
    Range own;
    ranges = (Ranges*)guarded(sizeof(Ranges), &own);
    if (!ranges) return nullptr;
    ranges->at[ranges->count++] = own;
  }
  if (ranges->count == kMostRanges) return nullptr;
  Range range;
  void* memory = guarded(size, &range);
  if (memory) ranges->at[ranges->count++] = range;
  return memory;
}

bool lasting_memory_left(size_t size) {
  Range range;
  if (!guarded(size, &range)) return false;
  raw(SYS_munmap, range.begin, range.end - range.begin);
  return true;
}

int lasting_ranges(const Range** out) {
  *out = ranges ? ranges->at : nullptr;
  return ranges ? ranges->count : 0;
}

bool is_empty(const void* page) {
  const uint64_t* word = (const uint64_t*)page;
  for (size_t i = 0; i < kPageSize / 8; ++i) {
    if (word[i]) return false;
  }
  return true;
}

int out_of_the_way(int fd) {
  for (int least = 900; least > 100; least /= 2) {
    long moved = raw(SYS_fcntl, fd, F_DUPFD_CLOEXEC, least);
    if (moved < 0) continue;
    raw(SYS_close, fd);
    return (int)moved;
  }
  return fd;
}

}  // namespace gordian_agent
