// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Where the state was written last before the witness's last test, and where that test reads it
// first: by running the witness once more under the tracer. Memory is watched in hardware; state of
// the kernel and of the C library is caught at the calls that write and read it.
#pragma once

#include <chrono>

#include "base/result.h"
#include "explain/candidate.h"
#include "explain/witness_lab.h"
#include "state/program_memory.h"

namespace gordian {

struct FoundSites {
  std::optional<Site> write, read;
};

/// An error when the process may not be traced.
Result<FoundSites> find_sites(WitnessLab& lab, ProgramMemory& program, const Candidate& candidate,
                              Moment moment, std::chrono::milliseconds patience);

}  // namespace gordian
