// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What programs call by hand when they know that they are built with -fsanitize=thread. It is about
// synchronisation between threads, and says nothing about who wrote what.
#include "target/trace/shadow.h"

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
