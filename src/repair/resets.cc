// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "repair/resets.h"

#include <algorithm>
#include <set>
#include <string>
#include <tuple>

#include "repair/function_names.h"
#include "repair/state_calls.h"

namespace gordian {
namespace {

ScoredReset reset_by(const StateFact& state, const UnitState::Method& method,
                     const StateCall& call) {
  ResetFact fact;
  fact.state = state.name;
  fact.call = call.text + "()";
  fact.access = std::max(call.access, method.access);
  fact.header = call.header;
  fact.parameters = method.parameters;
  return {fact, reset_score(method.name)};
}

}  // namespace

void add_reset_methods(const StateFact& state, const std::vector<UnitState::Method>& methods,
                       const std::vector<AccessorFact>& accessors, std::vector<ScoredReset>& to) {
  for (const UnitState::Method& method : methods) {
    for (const StateCall& call : state_calls(state, accessors, method.name)) {
      to.push_back(reset_by(state, method, call));
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
