// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The records that a --coverage build keeps in memory of each object: its file of counters, and
// where the counters of its functions are. They are found by their own marks, so that neither a
// symbol table nor the runtime of the compiler is needed.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "coverage/gcov_notes.h"
#include "symbols/memory_image.h"
#include "symbols/process_memory.h"

namespace gordian {

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

}  // namespace gordian
