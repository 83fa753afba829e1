// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "repair/state_calls.h"

#include <algorithm>

namespace gordian {
namespace {

/// `whole` is an expression of the object itself, or of a pointer to it.
std::string call_on(const std::string& whole, bool pointer, const std::string& method) {
  if (whole.starts_with('*') && !pointer) return whole.substr(1) + "->" + method;
  if (whole.starts_with('*')) return "(" + whole + ")->" + method;
  return whole + (pointer ? "->" : ".") + method;
}

}  // namespace

std::vector<StateCall> state_calls(const StateFact& state,
                                   const std::vector<AccessorFact>& accessors,
                                   const std::string& method) {
  const bool pointer = !state.pointee.empty();
  std::vector<StateCall> calls;
  if (!state.expression.empty()) {
    calls.push_back({call_on(state.expression, pointer, method), state.access, state.header});
  }
  for (const AccessorFact& accessor : accessors) {
    if (accessor.state != state.name || accessor.gives_const) continue;
    const bool through = pointer && !accessor.gives_pointee;
    calls.push_back(
        {call_on(accessor.expression, through, method), accessor.access, accessor.header});
  }
  return calls;
}

std::vector<PropertyFact> method_properties(const UnitState& state,
                                            const std::vector<AccessorFact>& accessors) {
  std::vector<PropertyFact> properties;
  for (const UnitState::Property& property : state.properties) {
    const auto gets = state_calls(state.fact, accessors, property.get);
    const auto sets = state_calls(state.fact, accessors, property.set);
    for (std::size_t i = 0; i < sets.size(); ++i) {
      PropertyFact& fact = properties.emplace_back();
      fact.get = gets[i].text + "()";
      fact.set = sets[i].text;
      fact.type = property.type;
      fact.access = std::max(property.access, sets[i].access);
      fact.header = sets[i].header;
    }
  }
  return properties;
}

}  // namespace gordian
