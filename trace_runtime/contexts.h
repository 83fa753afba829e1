// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The tree of calls: a node is a call at some place from some node. The number of the node in which
// a thread is makes a whole stack out of 4 bytes.
#pragma once

#include <stdint.h>

namespace gordian_trace {

struct Context {
  uint64_t pc;
  uint32_t parent;
  uint32_t last;  // the child that was entered last: most often the next one too
};

enum : uint32_t { kNoContext = 0, kRootContext = 1, kMostContexts = 3u << 20 };

void start_contexts();
/// The thread is at the bottom of its stack, whatever was jumped over.
void reset_context();
const Context& context_at(uint32_t number);
uint32_t context_count();

}  // namespace gordian_trace
