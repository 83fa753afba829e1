// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "target/trace/contexts.h"

#include "target/trace/places.h"
#include "target/trace/shadow.h"

namespace gordian_trace {

__thread Thread me __attribute__((tls_model("local-exec")));

namespace {

enum : uint32_t { kSlots = 8u << 20 };

Context* contexts;
uint32_t* slots;  // open addressing; a list of children is quadratic where many tests are called
uint32_t count = kRootContext + 1;

uint32_t slot_of(uint32_t parent, uint32_t pc) {
  uint64_t hash = (parent * 0x9e3779b97f4a7c15u) ^ (pc * 0xc2b2ae3d27d4eb4fu);
  return static_cast<uint32_t>(hash ^ (hash >> 29)) & (kSlots - 1);
}

uint32_t new_context(uint32_t parent, uint32_t pc) {
  const uint32_t number = __atomic_fetch_add(&count, 1u, __ATOMIC_RELAXED);
  if (number >= kMostContexts) {
    __atomic_store_n(&count, +kMostContexts, __ATOMIC_RELAXED);
    return kNoContext;
  }
  contexts[number].pc = pc;
  contexts[number].parent = parent;
  return number;
}

uint32_t look_up(uint32_t parent, uint32_t pc) {
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

uint32_t child_of(uint32_t parent, uint32_t pc) {
  const uint32_t last = contexts[parent].last;
  if (last && contexts[last].pc == pc) return last;
  const uint32_t found = look_up(parent, pc);
  if (!found) return parent;  // no room: its caller stands for it
  contexts[parent].last = found;
  return found;
}

}  // namespace

void start_contexts() {
  contexts = static_cast<Context*>(reserve(sizeof(Context) * uint64_t{kMostContexts}));
  slots = static_cast<uint32_t*>(reserve(sizeof(uint32_t) * uint64_t{kSlots}));
}

}  // namespace gordian_trace

using namespace gordian_trace;

GORDIAN_TRACE_ABI void __tsan_func_entry(void* caller) {
  const uint32_t at = static_cast<uint32_t>(me.at) + kFrame;
  me.at = static_cast<int32_t>(at);
  if (__builtin_expect(at >= sizeof me.frames, 0)) return;
  *frame_at(at) = {static_cast<uint32_t>(reinterpret_cast<uint64_t>(caller)), kNoContext};
}

/// Whoever jumps over calls, or began to be told of in the middle of some, leaves more than he
/// entered.
GORDIAN_TRACE_ABI void __tsan_func_exit() {
  if (__builtin_expect((me.at -= kFrame) < 0, 0)) me.at = 0;
}

namespace gordian_trace {

void reset_context() {
  me.at = 0;
}

__attribute__((noinline)) uint32_t find_context() {
  if (!contexts) return kNoContext;
  const uint32_t calls = static_cast<uint32_t>(me.at) / kFrame;
  const uint32_t deepest = calls < kDeepest ? calls : kDeepest - 1;
  me.frames[0].node = kRootContext;
  uint32_t known = deepest;
  while (!me.frames[known].node) --known;
  for (; known < deepest; ++known) {
    me.frames[known + 1].node = child_of(me.frames[known].node, me.frames[known + 1].pc);
  }
  return me.frames[deepest].node;
}

const Context& context_at(uint32_t number) {
  return contexts[number];
}

uint32_t context_count() {
  return __atomic_load_n(&count, __ATOMIC_RELAXED);
}

}  // namespace gordian_trace
