// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A method of a state's class as code elsewhere can call it: on the state itself, where it can be
// named, and on what accessors give.
#pragma once

#include <string>
#include <vector>

#include "repair/source_facts.h"
#include "repair/unit_facts.h"

namespace gordian {

struct MethodCall {
  std::string text;  ///< "::app::cache.clear", without parentheses
  Access access = Access::open;
  std::string header;
};

std::vector<MethodCall> method_calls(const StateFact& state,
                                     const std::vector<AccessorFact>& accessors,
                                     const std::string& method);

/// Getters and setters of the state's class, on every way that leads to it.
std::vector<PropertyFact> method_properties(const UnitState& state,
                                            const std::vector<AccessorFact>& accessors);

/// A call that may bring a state back to its begin, by a method of its class or a function beside
/// it.
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
