// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "trace_runtime/contexts.h"

#include "trace_runtime/reserve.h"
#include "trace_runtime/shadow.h"

namespace gordian_trace {

__thread uint32_t context __attribute__((tls_model("initial-exec"))) = kRootContext;

namespace {

enum : uint32_t { kSlots = 8u << 20, kDeepest = 128 };

Context* contexts;
uint32_t* slots;  // open addressing; a list of children is quadratic where many tests are called
uint32_t count = kRootContext + 1;

__thread uint32_t depth __attribute__((tls_model("initial-exec")));
/// Calls too deep to be told apart, that are entered and not yet left.
__thread uint32_t beyond __attribute__((tls_model("initial-exec")));

uint32_t slot_of(uint32_t parent, uint64_t pc) {
  uint64_t hash = (parent * 0x9e3779b97f4a7c15u) ^ (pc * 0xc2b2ae3d27d4eb4fu);
  return static_cast<uint32_t>(hash ^ (hash >> 29)) & (kSlots - 1);
}

uint32_t new_context(uint32_t parent, uint64_t pc) {
  const uint32_t number = __atomic_fetch_add(&count, 1u, __ATOMIC_RELAXED);
  if (number >= kMostContexts) {
    __atomic_store_n(&count, +kMostContexts, __ATOMIC_RELAXED);
    return kNoContext;
  }
  contexts[number].pc = pc;
  contexts[number].parent = parent;
  return number;
}

__attribute__((noinline)) uint32_t child_of(uint32_t parent, uint64_t pc) {
  uint32_t made = kNoContext;
  for (uint32_t slot = slot_of(parent, pc);; slot = (slot + 1) & (kSlots - 1)) {
    uint32_t found = __atomic_load_n(&slots[slot], __ATOMIC_ACQUIRE);
    if (!found) {
      if (!made) made = new_context(parent, pc);
      if (!made) return kNoContext;
      if (__atomic_compare_exchange_n(&slots[slot], &found, made, false, __ATOMIC_ACQ_REL,
                                      __ATOMIC_ACQUIRE)) {
        return made;
      }
    }
    if (contexts[found].parent == parent && contexts[found].pc == pc) return found;
  }
}

}  // namespace

void start_contexts() {
  contexts = static_cast<Context*>(reserve(sizeof(Context) * uint64_t{kMostContexts}));
  slots = static_cast<uint32_t*>(reserve(sizeof(uint32_t) * uint64_t{kSlots}));
}

}  // namespace gordian_trace

using namespace gordian_trace;

GORDIAN_TRACE_ABI void __tsan_func_entry(void* caller) {
  const uint64_t pc = reinterpret_cast<uint64_t>(caller);
  if (__builtin_expect(!state.mapped, 0)) return;
  const uint32_t parent = context;
  uint32_t child = contexts[parent].last;
  if (__builtin_expect(child && contexts[child].pc == pc && !beyond, 1)) {
    context = child;
    ++depth;
    return;
  }
  if (beyond || depth >= kDeepest || !(child = child_of(parent, pc))) {
    ++beyond;
    return;
  }
  contexts[parent].last = child;
  context = child;
  ++depth;
}

GORDIAN_TRACE_ABI void __tsan_func_exit() {
  if (__builtin_expect(beyond, 0)) {
    --beyond;
    return;
  }
  if (context <= kRootContext) return;
  context = contexts[context].parent;
  --depth;
}

namespace gordian_trace {

void reset_context() {
  context = kRootContext;
  depth = beyond = 0;
}

const Context& context_at(uint32_t number) {
  return contexts[number];
}

uint32_t context_count() {
  return __atomic_load_n(&count, __ATOMIC_RELAXED);
}

}  // namespace gordian_trace
