// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What is initialised on first use would have been initialised by any other test: what is written
// meanwhile belongs to nobody. What is read still counts.
#include <pthread.h>

#include "target/trace/shadow.h"

using namespace gordian_trace;

namespace {

int nesting;  // of all threads together: threads share `writer`

void begin() {
  if (__atomic_fetch_add(&nesting, 1, __ATOMIC_RELAXED) == 0) state.writer = kBefore;
}
void end() {
  if (__atomic_sub_fetch(&nesting, 1, __ATOMIC_RELAXED) == 0 && state.recording) {
    state.writer = state.own;
  }
}

typedef int (*Acquire)(uint64_t*);
typedef void (*Release)(uint64_t*);

}  // namespace

/// 1: the caller is to initialise, and will release or abort.
GORDIAN_TRACE_REPLACES int __cxa_guard_acquire(uint64_t* guard) {
  const int chosen = GORDIAN_TRACE_NEXT_AS(Acquire, "__cxa_guard_acquire")(guard);
  if (chosen) begin();
  return chosen;
}
GORDIAN_TRACE_REPLACES void __cxa_guard_release(uint64_t* guard) {
  write_range(guard, 8, GORDIAN_TRACE_CALLER);
  GORDIAN_TRACE_NEXT_AS(Release, "__cxa_guard_release")(guard);
  end();
}
GORDIAN_TRACE_REPLACES void __cxa_guard_abort(uint64_t* guard) {
  GORDIAN_TRACE_NEXT_AS(Release, "__cxa_guard_abort")(guard);
  end();
}

/// glibc's flag is 0 or 1 while it is not done, 2 when it is.
GORDIAN_TRACE_REPLACES int pthread_once(pthread_once_t* once, void (*function)()) {
  const bool first = __atomic_load_n(once, __ATOMIC_ACQUIRE) == 0;
  if (first) begin();
  const int result = GORDIAN_TRACE_NEXT(pthread_once)(once, function);
  if (first) end();
  return result;
}
