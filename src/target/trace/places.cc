// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "target/trace/places.h"

#include <link.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "target/trace/contexts.h"

namespace gordian_trace {
namespace {

struct Range {
  uint64_t begin, end;
  bool has(uint64_t address) const { return address >= begin && address < end; }
};

enum : uint32_t { kMostRanges = 2048 };
Range modules[kMostRanges];
uint32_t module_ranges;

Range main_stack;

__attribute__((noinline)) void find_stack() {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return;
  void* begin = nullptr;
  size_t size = 0;
  pthread_attr_getstack(&attributes, &begin, &size);
  pthread_attr_destroy(&attributes);
  me.stack_begin = reinterpret_cast<uint64_t>(begin);
  me.stack_size = size;
  if (!main_stack.end) main_stack = {me.stack_begin, me.stack_begin + size};
}

void add(uint64_t begin, uint64_t size) {
  if (module_ranges < kMostRanges && size) modules[module_ranges++] = {begin, begin + size};
}

int add_module(dl_phdr_info* info, size_t, void*) {
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& header = info->dlpi_phdr[i];
    if (header.p_type == PT_LOAD && (header.p_flags & PF_W)) {
      add(info->dlpi_addr + header.p_vaddr, header.p_memsz);
    } else if (header.p_type == PT_TLS && info->dlpi_tls_data) {
      add(reinterpret_cast<uint64_t>(info->dlpi_tls_data), header.p_memsz);
    }
  }
  return 0;
}

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

bool is_on_stack(uint64_t address) {
  if (__builtin_expect(!me.stack_size, 0)) find_stack();
  return address - me.stack_begin < me.stack_size || main_stack.has(address);
}

bool is_static(uint64_t address) {
  for (uint32_t i = 0; i < module_ranges; ++i) {
    if (modules[i].has(address)) return true;
  }
  return false;
}

void find_modules() {
  module_ranges = 0;
  dl_iterate_phdr(add_module, nullptr);
}

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
