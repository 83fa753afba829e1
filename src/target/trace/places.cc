// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "target/trace/places.h"

#include <link.h>
#include <pthread.h>

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

}  // namespace gordian_trace
