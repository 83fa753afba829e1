// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Whose code a frame of a stack is: people want to see their own.
#pragma once

#include <cstddef>
#include <span>

#include "suite/outcome.h"

namespace gordian {

/// Of the C or C++ library, of the test framework, of our agent, or of nowhere.
bool is_library_frame(const StackFrame& frame);
/// Of the test framework or of our agent, not of the C or C++ library.
bool is_framework_frame(const StackFrame& frame);

/// The first frame that is the program's own: not of std, GoogleTest, the C or C++ library or a
/// system header. 0 when there is none.
std::size_t shown_frame(std::span<const StackFrame> stack);

}  // namespace gordian
