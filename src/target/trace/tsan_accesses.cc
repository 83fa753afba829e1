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

// What programs call by hand when they know that they are built with -fsanitize=thread. It is about
// synchronisation between threads, and says nothing about who wrote what.
#define GORDIAN_TRACE_IGNORED(kName, ...) \
  GORDIAN_TRACE_ABI void kName(__VA_ARGS__) {}

GORDIAN_TRACE_IGNORED(__tsan_acquire, void*)
GORDIAN_TRACE_IGNORED(__tsan_release, void*)
GORDIAN_TRACE_IGNORED(__tsan_mutex_create, void*, unsigned)
GORDIAN_TRACE_IGNORED(__tsan_mutex_destroy, void*, unsigned)
GORDIAN_TRACE_IGNORED(__tsan_mutex_pre_lock, void*, unsigned)
GORDIAN_TRACE_IGNORED(__tsan_mutex_post_lock, void*, unsigned, int)
GORDIAN_TRACE_IGNORED(__tsan_mutex_post_unlock, void*, unsigned)
GORDIAN_TRACE_IGNORED(__tsan_mutex_pre_signal, void*, unsigned)
GORDIAN_TRACE_IGNORED(__tsan_mutex_post_signal, void*, unsigned)
GORDIAN_TRACE_IGNORED(__tsan_mutex_pre_divert, void*, unsigned)
GORDIAN_TRACE_IGNORED(__tsan_mutex_post_divert, void*, unsigned)
GORDIAN_TRACE_IGNORED(__tsan_destroy_fiber, void*)
GORDIAN_TRACE_IGNORED(__tsan_switch_to_fiber, void*, unsigned)
GORDIAN_TRACE_IGNORED(__tsan_set_fiber_name, void*, const char*)
GORDIAN_TRACE_IGNORED(__tsan_ignore_thread_begin)
GORDIAN_TRACE_IGNORED(__tsan_ignore_thread_end)
GORDIAN_TRACE_IGNORED(__tsan_flush_memory)
GORDIAN_TRACE_IGNORED(AnnotateHappensBefore, const char*, int, const volatile void*)
GORDIAN_TRACE_IGNORED(AnnotateHappensAfter, const char*, int, const volatile void*)
GORDIAN_TRACE_IGNORED(AnnotateIgnoreReadsBegin, const char*, int)
GORDIAN_TRACE_IGNORED(AnnotateIgnoreReadsEnd, const char*, int)
GORDIAN_TRACE_IGNORED(AnnotateIgnoreWritesBegin, const char*, int)
GORDIAN_TRACE_IGNORED(AnnotateIgnoreWritesEnd, const char*, int)
GORDIAN_TRACE_IGNORED(AnnotateIgnoreSyncBegin, const char*, int)
GORDIAN_TRACE_IGNORED(AnnotateIgnoreSyncEnd, const char*, int)
GORDIAN_TRACE_IGNORED(AnnotateBenignRace, const char*, int, const volatile void*, const char*)
GORDIAN_TRACE_IGNORED(AnnotateBenignRaceSized, const char*, int, const volatile void*, size_t,
                      const char*)
GORDIAN_TRACE_IGNORED(AnnotateRWLockCreate, const char*, int, const volatile void*)
GORDIAN_TRACE_IGNORED(AnnotateRWLockDestroy, const char*, int, const volatile void*)
GORDIAN_TRACE_IGNORED(AnnotateRWLockAcquired, const char*, int, const volatile void*, long)
GORDIAN_TRACE_IGNORED(AnnotateRWLockReleased, const char*, int, const volatile void*, long)

GORDIAN_TRACE_ABI unsigned __tsan_mutex_pre_unlock(void*, unsigned) {
  return 0;
}
/// One for all threads: programs only hand it back to us.
GORDIAN_TRACE_ABI void* __tsan_get_current_fiber() {
  static char fiber;
  return &fiber;
}
GORDIAN_TRACE_ABI void* __tsan_create_fiber(unsigned) {
  return __tsan_get_current_fiber();
}
