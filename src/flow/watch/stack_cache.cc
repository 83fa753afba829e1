// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "flow/watch/stack_cache.h"

namespace gordian {

std::vector<StackFrame> StackCache::describe(Tracer& tracer,
                                             std::span<const FrameAddress> addresses) {
  std::vector<StackFrame> frames;
  for (const FrameAddress& address : addresses) {
    auto [known, fresh] = known_.try_emplace(address.at);
    if (fresh) known->second = tracer.describe(std::span(&address, 1));
    frames.insert(frames.end(), known->second.begin(), known->second.end());
  }
  return frames;
}

}  // namespace gordian
