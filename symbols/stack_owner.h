// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Whose code a stack stands in: the program's own, a library's, or our agent's. Pure.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "suite/explanation.h"

namespace gordian {

/// Of std, GoogleTest, the C or C++ library or a system header.
bool is_system_frame(const StackFrame& frame);
/// Of the test framework or of our agent, not of the C or C++ library.
bool is_framework_frame(const StackFrame& frame);

/// The first frame that is the program's own; nor of a library without lines that was called from
/// where there are some. 0 when there is none.
std::size_t shown_frame(std::span<const StackFrame> stack);

/// A stack whose innermost frame outside of system libraries is our agent's.
bool is_agents(std::span<const StackFrame> stack);

/// With the frame that is shown chosen.
Site site_of(std::vector<StackFrame> stack, std::uint64_t times = 1);

}  // namespace gordian
