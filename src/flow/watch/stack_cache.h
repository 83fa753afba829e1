// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Names of code addresses, remembered over all processes of a program that is always loaded at the
// same place: looking one up costs more than the hit itself.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "runtime/native/tracer.h"

namespace gordian {

class StackCache {
 public:
  /// As Tracer::describe().
  std::vector<StackFrame> describe(Tracer& tracer, std::span<const FrameAddress> addresses);

 private:
  std::unordered_map<std::uint64_t, std::vector<StackFrame>> known_;
};

}  // namespace gordian
