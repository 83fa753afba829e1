// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "trace_runtime/places.h"

#include <link.h>
#include <pthread.h>

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
__thread Range own_stack __attribute__((tls_model("initial-exec")));

__attribute__((noinline)) void find_stack() {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return;
  void* begin = nullptr;
  size_t size = 0;
  pthread_attr_getstack(&attributes, &begin, &size);
  pthread_attr_destroy(&attributes);
  own_stack.begin = reinterpret_cast<uint64_t>(begin);
  own_stack.end = own_stack.begin + size;
  if (!main_stack.end) main_stack = own_stack;
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
  if (__builtin_expect(!own_stack.end, 0)) find_stack();
  return own_stack.has(address) || main_stack.has(address);
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
