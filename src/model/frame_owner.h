// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Whose code a frame of a stack is. Tests may live in the framework's own namespace, and a
// framework may be compiled anywhere: name, file and module are weighed together.
#pragma once

#include <cstdint>
#include <string_view>

#include "model/outcome.h"
#include "model/test.h"

namespace gordian {

enum class FrameOwner : std::uint8_t {
  program,    ///< and its own libraries
  framework,  ///< any that Gordian knows
  system,     ///< C and C++ libraries, their headers, our agent, code without a name
};

FrameOwner frame_owner(const StackFrame& frame);

/// Which one, of a frame that is a framework's.
Framework framework_of(const StackFrame& frame);

/// A part of the framework that calls tests: what is further out is the same for every test.
bool runs_tests(const StackFrame& frame);

/// By the name of a function or variable; tests may stand there too.
bool is_in_framework_namespace(std::string_view name);
/// Among the framework's own sources and headers, by their folder; its own tests are elsewhere.
bool is_in_framework_folder(std::string_view file);
/// A source or header of a framework itself, wherever it was compiled; its own tests are none.
/// For names in its namespace: a program may call a file of its own gtest_helpers.h.
bool is_framework_source(std::string_view file);

/// "void std::fill<int>(int*)" -> "std::fill<int>(int*)": instances of templates carry their return
/// type, which says nothing about whose function it is.
std::string_view without_return_type(std::string_view function);

}  // namespace gordian
