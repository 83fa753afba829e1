// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "repair/resets.h"

#include <algorithm>
#include <set>
#include <string>
#include <tuple>

#include "repair/reset_names.h"

namespace gordian {
namespace {

/// "x.clear()": `whole` is an expression of the object itself, or of a pointer to it.
std::string call_on(const std::string& whole, bool pointer, const std::string& method) {
  if (whole.starts_with('*') && !pointer) return whole.substr(1) + "->" + method + "()";
  if (whole.starts_with('*')) return "(" + whole + ")->" + method + "()";
  return whole + (pointer ? "->" : ".") + method + "()";
}

ScoredReset reset_by(const StateFact& state, const UnitState::Method& method,
                     const std::string& call, Access access, const std::string& header) {
  ResetFact fact;
  fact.state = state.name;
  fact.call = call;
  fact.access = std::max(access, method.access);
  fact.header = header;
  fact.parameters = method.parameters;
  return {fact, reset_score(method.name)};
}

}  // namespace

void add_reset_methods(const StateFact& state, const std::vector<UnitState::Method>& methods,
                       const std::vector<AccessorFact>& accessors, std::vector<ScoredReset>& to) {
  const bool pointer = !state.pointee.empty();
  for (const UnitState::Method& method : methods) {
    if (!state.expression.empty()) {
      to.push_back(reset_by(state, method, call_on(state.expression, pointer, method.name),
                            state.access, state.header));
    }
    for (const AccessorFact& accessor : accessors) {
      if (accessor.state != state.name || accessor.gives_const) continue;
      const bool through = pointer && !accessor.gives_pointee;
      to.push_back(reset_by(state, method, call_on(accessor.expression, through, method.name),
                            accessor.access, accessor.header));
    }
  }
}

std::vector<ResetFact> best_first(std::vector<ScoredReset> resets) {
  std::stable_sort(resets.begin(), resets.end(), [](const ScoredReset& a, const ScoredReset& b) {
    return std::tuple(a.fact.parameters, a.fact.access, -a.score) <
           std::tuple(b.fact.parameters, b.fact.access, -b.score);
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
