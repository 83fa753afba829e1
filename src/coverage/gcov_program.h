// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// From the objects of a --coverage build and their maps (.gcno) to functions whose counters mean
// lines.
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

struct GcovProgram {
  std::vector<CounterArray> arrays;
  std::vector<std::string> data_files;  ///< by CounterArray::object
  std::vector<std::string> notices;
};

/// Reads the map of each object. One that is missing, damaged or of another build is a notice while
/// there are others; an error when there is no other.
Result<GcovProgram> read_gcov_maps(std::span<const GcovObject> objects, CoverUnits& units);

}  // namespace gordian
