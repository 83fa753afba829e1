// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Atomic operations: compilers hand them to the runtime as a whole. All are done in the strongest
// order, which none can tell from the one asked for.
#include "target/trace/shadow.h"

using namespace gordian_trace;

namespace {

template <class T>
GORDIAN_TRACE_INLINE void will_read(const volatile T* p, uint64_t pc) {
  on_read<sizeof(T)>(reinterpret_cast<uint64_t>(p), pc);
}
template <class T>
GORDIAN_TRACE_INLINE void will_change(const volatile T* p, uint64_t pc) {
  on_read<sizeof(T)>(reinterpret_cast<uint64_t>(p), pc);
  on_write<sizeof(T)>(reinterpret_cast<uint64_t>(p), pc);
}

/// An exchange that fails is only a read.
template <class T>
GORDIAN_TRACE_INLINE bool exchange_if(volatile T* p, T* expected, T value, uint64_t pc) {
  will_read(p, pc);
  if (*p == *expected) on_write<sizeof(T)>(reinterpret_cast<uint64_t>(p), pc);
  return __atomic_compare_exchange_n(p, expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

}  // namespace

#define GORDIAN_TRACE_FETCH(kBits, T, kName)                                          \
  GORDIAN_TRACE_ABI T __tsan_atomic##kBits##_fetch_##kName(volatile T* p, T v, int) { \
    will_change(p, GORDIAN_TRACE_CALLER);                                             \
    return __atomic_fetch_##kName(p, v, __ATOMIC_SEQ_CST);                            \
  }

#define GORDIAN_TRACE_ATOMICS(kBits, T)                                                          \
  GORDIAN_TRACE_ABI T __tsan_atomic##kBits##_load(const volatile T* p, int) {                    \
    will_read(p, GORDIAN_TRACE_CALLER);                                                          \
    return __atomic_load_n(p, __ATOMIC_SEQ_CST);                                                 \
  }                                                                                              \
  GORDIAN_TRACE_ABI void __tsan_atomic##kBits##_store(volatile T* p, T v, int) {                 \
    on_write<sizeof(T)>(reinterpret_cast<uint64_t>(p), GORDIAN_TRACE_CALLER);                    \
    __atomic_store_n(p, v, __ATOMIC_SEQ_CST);                                                    \
  }                                                                                              \
  GORDIAN_TRACE_ABI T __tsan_atomic##kBits##_exchange(volatile T* p, T v, int) {                 \
    will_change(p, GORDIAN_TRACE_CALLER);                                                        \
    return __atomic_exchange_n(p, v, __ATOMIC_SEQ_CST);                                          \
  }                                                                                              \
  GORDIAN_TRACE_FETCH(kBits, T, add)                                                             \
  GORDIAN_TRACE_FETCH(kBits, T, sub)                                                             \
  GORDIAN_TRACE_FETCH(kBits, T, and)                                                             \
  GORDIAN_TRACE_FETCH(kBits, T, or)                                                              \
  GORDIAN_TRACE_FETCH(kBits, T, xor)                                                             \
  GORDIAN_TRACE_FETCH(kBits, T, nand)                                                            \
  GORDIAN_TRACE_ABI int __tsan_atomic##kBits##_compare_exchange_strong(volatile T* p, T* c, T v, \
                                                                       int, int) {               \
    return exchange_if(p, c, v, GORDIAN_TRACE_CALLER);                                           \
  }                                                                                              \
  GORDIAN_TRACE_ABI int __tsan_atomic##kBits##_compare_exchange_weak(volatile T* p, T* c, T v,   \
                                                                     int, int) {                 \
    return exchange_if(p, c, v, GORDIAN_TRACE_CALLER);                                           \
  }                                                                                              \
  GORDIAN_TRACE_ABI T __tsan_atomic##kBits##_compare_exchange_val(volatile T* p, T c, T v, int,  \
                                                                  int) {                         \
    exchange_if(p, &c, v, GORDIAN_TRACE_CALLER);                                                 \
    return c;                                                                                    \
  }

GORDIAN_TRACE_ATOMICS(8, uint8_t)
GORDIAN_TRACE_ATOMICS(16, uint16_t)
GORDIAN_TRACE_ATOMICS(32, uint32_t)
GORDIAN_TRACE_ATOMICS(64, uint64_t)

GORDIAN_TRACE_ABI void __tsan_atomic_thread_fence(int) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
GORDIAN_TRACE_ABI void __tsan_atomic_signal_fence(int) {
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
}
