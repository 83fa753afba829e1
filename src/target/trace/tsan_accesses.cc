// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What compilers call for each load and store with -fsanitize=thread: GCC 12, Clang 14 to 19.
#include "target/trace/shadow.h"

using namespace gordian_trace;

namespace {
GORDIAN_TRACE_INLINE uint64_t at(const volatile void* p) {
  return reinterpret_cast<uint64_t>(p);
}
}  // namespace

GORDIAN_TRACE_ABI void __tsan_init() {
  start();
  ++state.modules;
}

#define GORDIAN_TRACE_ACCESSES(kSize, kKind)                          \
  GORDIAN_TRACE_ABI void __tsan_##kKind##read##kSize(void* p) {       \
    on_read<kSize>(at(p), GORDIAN_TRACE_CALLER);                      \
  }                                                                   \
  GORDIAN_TRACE_ABI void __tsan_##kKind##write##kSize(void* p) {      \
    on_write<kSize>(at(p), GORDIAN_TRACE_CALLER);                     \
  }                                                                   \
  GORDIAN_TRACE_ABI void __tsan_##kKind##read_write##kSize(void* p) { \
    on_read<kSize>(at(p), GORDIAN_TRACE_CALLER);                      \
    on_write<kSize>(at(p), GORDIAN_TRACE_CALLER);                     \
  }
#define GORDIAN_TRACE_ALL_KINDS(kSize)      \
  GORDIAN_TRACE_ACCESSES(kSize, )           \
  GORDIAN_TRACE_ACCESSES(kSize, unaligned_) \
  GORDIAN_TRACE_ACCESSES(kSize, volatile_)  \
  GORDIAN_TRACE_ACCESSES(kSize, unaligned_volatile_)
GORDIAN_TRACE_ALL_KINDS(1)
GORDIAN_TRACE_ALL_KINDS(2)
GORDIAN_TRACE_ALL_KINDS(4)
GORDIAN_TRACE_ALL_KINDS(8)
GORDIAN_TRACE_ALL_KINDS(16)

GORDIAN_TRACE_ABI void __tsan_read_range(void* p, size_t size) {
  read_range(p, size, GORDIAN_TRACE_CALLER);
}
GORDIAN_TRACE_ABI void __tsan_write_range(void* p, size_t size) {
  write_range(p, size, GORDIAN_TRACE_CALLER);
}
GORDIAN_TRACE_ABI void __tsan_vptr_update(void** p, void*) {
  on_write<8>(at(p), GORDIAN_TRACE_CALLER);
}
GORDIAN_TRACE_ABI void __tsan_vptr_read(void** p) {
  on_read<8>(at(p), GORDIAN_TRACE_CALLER);
}
