// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// How a traced build is made: the flags for compiler and linker, and the files of ours that they
// name. The compilers' own instrumentation for ThreadSanitizer calls our runtime in place of its.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"

namespace gordian {

enum class Compiler { gcc, clang };

/// "gcc", "clang", or a program that is asked for its version.
Result<Compiler> recognise_compiler(const std::string& word);

/// What stands beside the installed gordian, or in its build.
struct TraceFiles {
  std::filesystem::path prefix;   ///< the header that comes before all others
  std::filesystem::path archive;  ///< the runtime
  std::filesystem::path exports;  ///< what of it the linker shows to libraries
};
Result<TraceFiles> find_trace_files();

std::vector<std::string> compile_flags(Compiler compiler, const TraceFiles& files);
std::vector<std::string> link_flags(const TraceFiles& files);

}  // namespace gordian
