// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Whose code the frames of a stack are, and which of them is shown to people. Tests may live in the
// framework's own namespace, and a framework may be compiled anywhere: name, file and module are
// weighed together. Pure.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "model/explanation.h"
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

inline bool is_programs(const StackFrame& frame) {
  return frame_owner(frame) == FrameOwner::program;
}

/// The first frame that is the program's own: not of std, GoogleTest, the C or C++ library or a
/// system header, nor of a library without lines that was called from where there are some, nor one
/// that calls all tests, such as main(). When the framework did it of its own accord, its innermost
/// frame; else 0.
std::size_t shown_frame(std::span<const StackFrame> stack);

/// A function of the class that the framework makes of this test.
bool is_of_test(const StackFrame& frame, const Test& test);

/// A stack whose innermost frame outside of system libraries is our agent's.
bool is_agents(std::span<const StackFrame> stack);

/// With the frame that is shown chosen.
Site site_of(std::vector<StackFrame> stack, std::uint64_t times = 1);

}  // namespace gordian
