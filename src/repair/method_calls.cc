// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <algorithm>
#include <set>
#include <string>
#include <tuple>

#include "repair/function_names.h"
#include "repair/unit_facts.h"

namespace gordian {
namespace {

struct MethodCall {
  std::string text;  ///< "::app::cache.clear", without parentheses
  Access access = Access::open;
  std::string header;
};

/// `whole` is an expression of the object itself, or of a pointer to it.
std::string call_on(const std::string& whole, bool pointer, const std::string& method) {
  if (whole.starts_with('*') && !pointer) return whole.substr(1) + "->" + method;
  if (whole.starts_with('*')) return "(" + whole + ")->" + method;
  return whole + (pointer ? "->" : ".") + method;
}

std::vector<MethodCall> method_calls(const StateFact& state,
                                     const std::vector<AccessorFact>& accessors,
                                     const std::string& method) {
  const bool pointer = !state.pointee.empty();
  std::vector<MethodCall> calls;
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

}  // namespace

std::vector<PropertyFact> method_properties(const UnitState& state,
                                            const std::vector<AccessorFact>& accessors) {
  std::vector<PropertyFact> properties;
  for (const UnitState::Property& property : state.properties) {
    const auto gets = method_calls(state.fact, accessors, property.get);
    const auto sets = method_calls(state.fact, accessors, property.set);
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

void add_reset_methods(const StateFact& state, const std::vector<UnitState::Method>& methods,
                       const std::vector<AccessorFact>& accessors, std::vector<ScoredReset>& to) {
  for (const UnitState::Method& method : methods) {
    for (const MethodCall& call : method_calls(state, accessors, method.name)) {
      to.push_back({{state.name, call.text + "()", std::max(call.access, method.access),
                     call.header, method.parameters},
                    reset_score(method.name)});
    }
  }
}

std::vector<ResetFact> best_first(std::vector<ScoredReset> resets) {
  std::stable_sort(resets.begin(), resets.end(), [](const ScoredReset& a, const ScoredReset& b) {
    return std::tuple(a.fact.parameters, a.fact.access, -a.score, a.fact.call.size()) <
           std::tuple(b.fact.parameters, b.fact.access, -b.score, b.fact.call.size());
  });
  std::vector<ResetFact> result;
  std::set<std::pair<std::string, std::string>> seen;
  for (ScoredReset& reset : resets) {
    if (seen.insert({reset.fact.state, reset.fact.call}).second)
      result.push_back(std::move(reset.fact));
  }
  return result;
}

}  // namespace gordian
