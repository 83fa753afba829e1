// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// How a build for coverage is made: the compilers' own flags.
#pragma once

#include <string>
#include <vector>

namespace gordian {

std::vector<std::string> coverage_compile_flags(bool clang);
/// For executables and shared libraries.
std::vector<std::string> coverage_link_flags(bool clang);

}  // namespace gordian
