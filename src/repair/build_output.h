// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What a build printed, as far as a repair has to understand it: the first thing that went wrong,
// and warnings. Knows g++ and clang++, the linkers, CMake, make and ninja. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gordian {

/// The error that a person would look at first: of the compiler, linker or CMake, else of make or
/// ninja, else the last line. Empty when nothing was printed.
std::string first_error(std::string_view output);

/// Whole lines, in their order, each once.
std::vector<std::string> warnings_in(std::string_view output);

/// A warning without line and column: the same one when lines were added above it.
std::string warning_key(std::string_view warning);

}  // namespace gordian
