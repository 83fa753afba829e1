// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "target/trace/reserve.h"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace gordian_trace {
namespace {

enum : uint64_t { kTables = 0x510000000000, kTablesSize = uint64_t{64} << 30 };

#ifndef MAP_FIXED_NOREPLACE
enum { MAP_FIXED_NOREPLACE = 0x100000 };
#endif

/// Not through mmap(): that is one of the functions that we replace.
uint64_t map(uint64_t address, uint64_t size) {
  const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE;
  const long at = syscall(SYS_mmap, address, size, PROT_READ | PROT_WRITE, flags, -1, 0);
  if (at == -1 || static_cast<uint64_t>(at) != address) {
    static const char kWhy[] =
        "gordian: a traced program needs address space for its shadow and did not get it; lift the "
        "limit of virtual memory (ulimit -v), and do not add another sanitizer\n";
    if (write(2, kWhy, sizeof kWhy - 1) < 0) _exit(98);
    _exit(98);
  }
  madvise(reinterpret_cast<void*>(at), size, MADV_NOHUGEPAGE);
  madvise(reinterpret_cast<void*>(at), size, MADV_DONTDUMP);
  return static_cast<uint64_t>(at);
}

}  // namespace

void reserve_at(uint64_t address, uint64_t size) {
  map(address, size);
}

/// All of them in one mapping, too large to be taken for the program's.
void* reserve(uint64_t size) {
  static uint64_t next;
  if (!next) next = map(kTables, kTablesSize);
  const uint64_t at = next;
  next += (size + 4095) & ~uint64_t{4095};
  return reinterpret_cast<void*>(at);
}

}  // namespace gordian_trace
