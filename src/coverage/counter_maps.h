// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// From counters in a program to functions whose counters mean lines: those of a --coverage build
// with their maps (.gcno), and those that Clang's own coverage keeps.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "coverage/counted_program.h"
#include "coverage/gcov_notes.h"
#include "symbols/process_memory.h"

namespace gordian {

/// The records that a --coverage build keeps in memory of each object: its file of counters, and
/// where the counters of its functions are. They are found by their own marks, so that neither a
/// symbol table nor the runtime of the compiler is needed.
struct GcovObject {
  GcovVersion version = 0;
  std::uint32_t stamp = 0;
  std::string data_file;  ///< where it would write its counters: beside the .gcno
  struct Function {
    std::uint32_t ident = 0, cfg_checksum = 0;
    TargetAddr counters{0};
    std::uint32_t count = 0;
  };
  /// Those that are in the program. What the linker has thrown away in favour of another object's
  /// is not.
  std::vector<Function> functions;
};

/// All objects of `pid`, a process at rest.
std::vector<GcovObject> find_gcov_objects(pid_t pid);

/// Those whose record is in `bytes`, which lie at `base`; what they point to is asked of `memory`.
std::vector<GcovObject> gcov_objects_in(std::string_view bytes, std::uint64_t base,
                                        const MemoryImage& memory);

/// Reads the map of each object. One that is missing, damaged or of another build is a notice while
/// there are others; an error when there is no other.
Status read_gcov_maps(std::span<const GcovObject> objects, CounterMaps& maps);

/// The counters of a program that Clang compiled with -fprofile-instr-generate -fcoverage-mapping:
/// all is in sections of its files, and the files are known from the mappings of the process. False
/// when no file of `pid` has such counters. An error when there are some and no map fits.
Result<bool> read_llvm_maps(pid_t pid, CounterMaps& maps);

/// The counters of a file that a process has written as it ended (.profraw).
struct LlvmRawProfile {
  std::uint64_t records = 0;
  std::vector<std::uint64_t> counters;
};
/// nullopt: it is damaged, or of another version than 8 (Clang 14) to 10 (Clang 19).
std::optional<LlvmRawProfile> parse_llvm_profile(std::string_view bytes);

}  // namespace gordian
