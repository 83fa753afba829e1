// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Where a thread is: a stack of the calls that it is in, kept by what compilers call at the begin
// and end of each function, and a tree of calls, in which a node is a call at some place from some
// node. The number of a node makes a whole stack out of 4 bytes. Most calls write nothing that is
// kept: a call gets its node only when one is asked for.
#pragma once

#include <stdint.h>

namespace gordian_trace {

struct Context {
  uint32_t pc;
  uint32_t parent;
  uint32_t last;  // the child that was asked for last: most often the next one too
  uint32_t reserved;
};

enum : uint32_t { kNoContext = 0, kRootContext = 1, kMostContexts = 3u << 20 };
/// Calls that are deeper count as part of their caller.
enum : uint32_t { kDeepest = 128 };

struct Thread {
  /// Of the call that it is in, in bytes from the first: kFrame for each call that was entered and
  /// not yet left.
  int32_t at;
  uint64_t stack_begin, stack_size;  // see places.h; none until it was looked for
  struct Frame {
    uint32_t pc;    // where it was called, the lower half
    uint32_t node;  // kNoContext: not asked for yet
  } frames[kDeepest];
};
enum : uint32_t { kFrame = sizeof(Thread::Frame) };
extern __thread Thread me __attribute__((tls_model("local-exec")));

inline Thread::Frame* frame_at(uint32_t at) {
  return reinterpret_cast<Thread::Frame*>(reinterpret_cast<char*>(me.frames) + at);
}

void start_contexts();
/// The thread is at the bottom of its stack, whatever was jumped over.
void reset_context();
uint32_t find_context();
/// kNoContext: find_context() knows.
inline uint32_t known_context() {
  const uint32_t at = static_cast<uint32_t>(me.at);
  return at < sizeof me.frames ? frame_at(at)->node : +kNoContext;
}
inline uint32_t context() {
  const uint32_t known = known_context();
  return known ? known : find_context();
}
const Context& context_at(uint32_t number);
uint32_t context_count();

}  // namespace gordian_trace
