// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The state diff of a witness: everything that its first tests left changed before the last one, as
// candidates, the likeliest first.
#pragma once

#include <cstddef>
#include <vector>

#include "base/result.h"
#include "explain/native/witness_lab.h"
#include "state/program_memory.h"

namespace gordian {

struct StateDiff {
  std::vector<Candidate> candidates;
  std::size_t program_changes = 0;  ///< candidates that belong to the program
  std::vector<std::string> notes;   ///< what could not be looked at, and why
};

/// Against the state that the last test finds at the same moment when it runs alone, after the
/// lab's tests. Runs the witness once.
Result<StateDiff> state_diff(WitnessLab& lab, ProgramMemory& program, Moment moment);

/// It is one of these pieces of state, or lies in the same variable as one of them.
bool covers(const std::vector<Candidate>& whole, const Candidate& candidate);

}  // namespace gordian
