// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A method of a state's class as code elsewhere can call it: on the state itself, where it can be
// named, and on what accessors give.
#pragma once

#include <string>
#include <vector>

#include "repair/facts_json.h"
#include "repair/source_facts.h"

namespace gordian {

struct StateCall {
  std::string text;  ///< "::app::cache.clear", without parentheses
  Access access = Access::open;
  std::string header;
};

std::vector<StateCall> state_calls(const StateFact& state,
                                   const std::vector<AccessorFact>& accessors,
                                   const std::string& method);

/// Getters and setters of the state's class, on every way that leads to it.
std::vector<PropertyFact> method_properties(const UnitState& state,
                                            const std::vector<AccessorFact>& accessors);

}  // namespace gordian
