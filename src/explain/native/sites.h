// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Where the program wrote or read a piece of its state: the last write before a test's end, the
// first read. Memory is watched in hardware; state of the kernel and of the C library is caught at
// the calls that write and read it. What takes a Tracer attaches nothing: its process stands still,
// is let go with `release` (which tells the agent to go on) and runs until `until` says that the
// test came to its end, the process ends, or the deadline passes. Accesses by our agent are none of
// the program's and do not count. On return the watches are still set; detach, or watch something
// else. Same thread as the Tracer.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "base/result.h"
#include "explain/native/witness_lab.h"
#include "model/explanation.h"
#include "runtime/native/tracer.h"
#include "state/program_memory.h"

namespace gordian {

struct SiteSearch {
  std::function<void()> release;
  std::function<bool()> until;  ///< asked about every millisecond
  Tracer::Clock::time_point deadline = Tracer::Clock::time_point::max();
  std::uint64_t max_hits = 100'000;  ///< then watching ends and the process runs at full speed
  KernelAccess kernel = KernelAccess::caught;
};

/// The last write to any of these bytes, with the number of writes before it. In one run: each
/// write costs a hit and the walk of its stack, names are looked up for the last only.
Result<std::optional<Site>> last_write(Tracer& tracer, std::span<const Watch> watches,
                                       const SiteSearch& search);

/// The first access that reads (read or read-and-write). The process stands still there.
Result<std::optional<Site>> first_read(Tracer& tracer, std::span<const Watch> watches,
                                       const SiteSearch& search);

struct FoundSites {
  std::optional<Site> write, read;
};

/// Where the state was written last before the witness's last test, and where that test reads it
/// first: by running the witness once more under the tracer. An error when the process may not be
/// traced.
Result<FoundSites> find_sites(WitnessLab& lab, ProgramMemory& program, const Candidate& candidate,
                              Moment moment, std::chrono::milliseconds patience);

}  // namespace gordian
