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

typedef unsigned __int128 Wide;

/// Operations on 16 bytes are all made of this one. Compares with `expected`, stores `value` if
/// equal; `expected` is what was there.
__attribute__((target("cx16"))) bool exchange(volatile Wide* p, Wide* expected, Wide value) {
  const Wide was = __sync_val_compare_and_swap(p, *expected, value);
  const bool done = was == *expected;
  *expected = was;
  return done;
}

template <class Change>
Wide change(volatile Wide* p, Change change_of) {
  Wide seen = 0;
  while (!exchange(p, &seen, change_of(seen))) {
  }
  return seen;
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

GORDIAN_TRACE_ABI Wide __tsan_atomic128_load(const volatile Wide* p, int) {
  will_read(p, GORDIAN_TRACE_CALLER);
  Wide seen = 0;
  exchange(const_cast<volatile Wide*>(p), &seen, 0);
  return seen;
}
GORDIAN_TRACE_ABI void __tsan_atomic128_store(volatile Wide* p, Wide v, int) {
  on_write<16>(reinterpret_cast<uint64_t>(p), GORDIAN_TRACE_CALLER);
  change(p, [v](Wide) { return v; });
}

#define GORDIAN_TRACE_WIDE(kName, kNew)                                            \
  GORDIAN_TRACE_ABI Wide __tsan_atomic128_##kName(volatile Wide* p, Wide v, int) { \
    will_change(p, GORDIAN_TRACE_CALLER);                                          \
    return change(p, [v](Wide old) -> Wide {                                       \
      (void)old;                                                                   \
      return kNew;                                                                 \
    });                                                                            \
  }
GORDIAN_TRACE_WIDE(exchange, v)
GORDIAN_TRACE_WIDE(fetch_add, old + v)
GORDIAN_TRACE_WIDE(fetch_sub, old - v)
GORDIAN_TRACE_WIDE(fetch_and, old& v)
GORDIAN_TRACE_WIDE(fetch_or, old | v)
GORDIAN_TRACE_WIDE(fetch_xor, old ^ v)
GORDIAN_TRACE_WIDE(fetch_nand, ~(old& v))

GORDIAN_TRACE_ABI int __tsan_atomic128_compare_exchange_strong(volatile Wide* p, Wide* c, Wide v,
                                                               int, int) {
  will_change(p, GORDIAN_TRACE_CALLER);
  return exchange(p, c, v);
}
GORDIAN_TRACE_ABI int __tsan_atomic128_compare_exchange_weak(volatile Wide* p, Wide* c, Wide v, int,
                                                             int) {
  will_change(p, GORDIAN_TRACE_CALLER);
  return exchange(p, c, v);
}
GORDIAN_TRACE_ABI Wide __tsan_atomic128_compare_exchange_val(volatile Wide* p, Wide c, Wide v, int,
                                                             int) {
  will_change(p, GORDIAN_TRACE_CALLER);
  exchange(p, &c, v);
  return c;
}
