// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Calls that may bring a state back to its begin: methods of its class, on every way that leads to
// it, and functions beside it.
#pragma once

#include <vector>

#include "repair/facts_json.h"
#include "repair/source_facts.h"

namespace gordian {

struct ScoredReset {
  ResetFact fact;
  int score = 0;
};

/// `methods` of the state's class, called on the state itself and on what accessors give.
void add_reset_methods(const StateFact& state, const std::vector<UnitState::Method>& methods,
                       const std::vector<AccessorFact>& accessors, std::vector<ScoredReset>& to);

/// Those that can be called as they are first, then by access, score and shortness; each once.
std::vector<ResetFact> best_first(std::vector<ScoredReset> resets);

}  // namespace gordian
