// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The counters of a program that Clang compiled with -fprofile-instr-generate -fcoverage-mapping:
// all is in sections of its files, and the files are known from the mappings of the process.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "base/result.h"
#include "coverage/counted_program.h"

namespace gordian {

struct LlvmProgram {
  std::vector<CounterArray> arrays;
  std::vector<CounterBlock> blocks;
  std::vector<std::string> notices;
};

/// Empty when no file of `pid` has such counters. An error when there are some and no map fits.
Result<LlvmProgram> read_llvm_maps(pid_t pid, CoverUnits& units);

/// The counters of a file that a process has written as it ended (.profraw).
struct LlvmRawProfile {
  std::uint64_t records = 0;
  std::vector<std::uint64_t> counters;
};
/// nullopt: it is damaged, or of another version than 8 (Clang 14) to 10 (Clang 19).
std::optional<LlvmRawProfile> parse_llvm_profile(std::string_view bytes);

}  // namespace gordian
