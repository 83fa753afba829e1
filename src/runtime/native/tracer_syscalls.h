// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Which bytes of the program a system call reads, as far as its arguments tell: buffers with a
// length, gathered buffers and paths. What a call writes needs no table: it is other afterwards.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <vector>

#include "runtime/native/tracer_ptrace.h"

namespace gordian {

struct CallBuffer {
  std::uint64_t begin = 0, size = 0;
  bool overlaps(std::uint64_t address, std::uint64_t bytes) const {
    return begin < address + bytes && address < begin + size;
  }
};

/// REQUIRES: `call` is an entry. Reads the process' memory for paths and lists of buffers.
std::vector<CallBuffer> buffers_read_by(pid_t pid, const SyscallStop& call);

}  // namespace gordian
