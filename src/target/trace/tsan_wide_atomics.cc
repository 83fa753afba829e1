// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Atomic operations on 16 bytes, all out of one: compare and exchange.
#include "target/trace/shadow.h"

using namespace gordian_trace;

namespace {

typedef unsigned __int128 Wide;

/// Compares with `expected`, stores `value` if equal; `expected` is what was there.
__attribute__((target("cx16"))) bool exchange(volatile Wide* p, Wide* expected, Wide value) {
  const Wide was = __sync_val_compare_and_swap(p, *expected, value);
  const bool done = was == *expected;
  *expected = was;
  return done;
}

void will_read(const volatile Wide* p, uint64_t pc) {
  on_read<16>(reinterpret_cast<uint64_t>(p), pc);
}
void will_write(const volatile Wide* p, uint64_t pc) {
  on_write<16>(reinterpret_cast<uint64_t>(p), pc);
}

template <class Change>
Wide change(volatile Wide* p, Change change_of) {
  Wide seen = 0;
  while (!exchange(p, &seen, change_of(seen))) {
  }
  return seen;
}

}  // namespace

GORDIAN_TRACE_ABI Wide __tsan_atomic128_load(const volatile Wide* p, int) {
  will_read(p, GORDIAN_TRACE_CALLER);
  Wide seen = 0;
  exchange(const_cast<volatile Wide*>(p), &seen, 0);
  return seen;
}
GORDIAN_TRACE_ABI void __tsan_atomic128_store(volatile Wide* p, Wide v, int) {
  will_write(p, GORDIAN_TRACE_CALLER);
  change(p, [v](Wide) { return v; });
}

#define GORDIAN_TRACE_WIDE(kName, kNew)                                            \
  GORDIAN_TRACE_ABI Wide __tsan_atomic128_##kName(volatile Wide* p, Wide v, int) { \
    will_read(p, GORDIAN_TRACE_CALLER);                                            \
    will_write(p, GORDIAN_TRACE_CALLER);                                           \
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
  will_read(p, GORDIAN_TRACE_CALLER);
  will_write(p, GORDIAN_TRACE_CALLER);
  return exchange(p, c, v);
}
GORDIAN_TRACE_ABI int __tsan_atomic128_compare_exchange_weak(volatile Wide* p, Wide* c, Wide v, int,
                                                             int) {
  will_read(p, GORDIAN_TRACE_CALLER);
  will_write(p, GORDIAN_TRACE_CALLER);
  return exchange(p, c, v);
}
GORDIAN_TRACE_ABI Wide __tsan_atomic128_compare_exchange_val(volatile Wide* p, Wide c, Wide v, int,
                                                             int) {
  will_read(p, GORDIAN_TRACE_CALLER);
  will_write(p, GORDIAN_TRACE_CALLER);
  exchange(p, &c, v);
  return c;
}
