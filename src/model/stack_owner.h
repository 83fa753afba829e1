// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Whose code a stack stands in, and which of its frames is shown to people. Pure.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/explanation.h"
#include "model/frame_owner.h"

namespace gordian {

inline bool is_programs(const StackFrame& frame) {
  return frame_owner(frame) == FrameOwner::program;
}

/// The first frame that is the program's own: not of std, GoogleTest, the C or C++ library or a
/// system header, nor of a library without lines that was called from where there are some, nor one
/// that calls all tests, such as main(). When the framework did it of its own accord, its innermost
/// frame; else 0.
std::size_t shown_frame(std::span<const StackFrame> stack);

/// A stack whose innermost frame outside of system libraries is our agent's.
bool is_agents(std::span<const StackFrame> stack);

/// With the frame that is shown chosen.
Site site_of(std::vector<StackFrame> stack, std::uint64_t times = 1);

}  // namespace gordian
