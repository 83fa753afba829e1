// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "suite/ignore_list.h"

#include <fnmatch.h>

#include <algorithm>
#include <map>
#include <utility>

namespace gordian {
namespace {

bool matches(const std::string& rule, const std::string& name, std::string_view below) {
  if (name.starts_with(rule) && !rule.empty()) {
    if (name.size() == rule.size() || rule.back() == '/') return true;
    if (below.find(name[rule.size()]) != std::string_view::npos) return true;
  }
  // No flags: a star goes across slashes, as in names of variables there are none.
  return fnmatch(rule.c_str(), name.c_str(), FNM_NOESCAPE) == 0;
}

const std::string* find_rule(const std::vector<std::string>& rules, const std::string& name,
                             std::string_view below) {
  auto rule = std::find_if(rules.begin(), rules.end(),
                           [&](const std::string& r) { return matches(r, name, below); });
  return rule == rules.end() ? nullptr : &*rule;
}

}  // namespace

const std::string* ignoring_rule(const IgnoreList& list, CarrierKind kind,
                                 const std::string& name) {
  switch (kind) {
    case CarrierKind::variable:
    case CarrierKind::thread_local_variable:
    case CarrierKind::heap:
      return find_rule(list.variables, name, ".[-");
    case CarrierKind::file:
      return find_rule(list.files, name, "/");
    case CarrierKind::environment:
      return find_rule(list.environment, name, "");
    default:
      return nullptr;
  }
}

FlowFacts without_ignored(DataFlow flow, const IgnoreList& list) {
  FlowFacts facts;
  std::map<StateId, IgnoredState> ignored;
  for (std::uint32_t i = 0; i < flow.states.size() && !list.empty(); ++i) {
    const SharedState& state = flow.states[i];
    const std::string* rule = ignoring_rule(list, state.kind, state.name);
    if (rule != nullptr) ignored[StateId(i)] = {state.kind, state.name, *rule, 0, 0, 0};
  }
  auto take_out = [&ignored](std::vector<StateId>& states, std::uint64_t IgnoredState::*counter) {
    return std::erase_if(states, [&](StateId id) {
      auto it = ignored.find(id);
      if (it != ignored.end()) ++(it->second.*counter);
      return it != ignored.end();
    });
  };
  for (TestFlow& test : flow.tests) {
    take_out(test.reads, &IgnoredState::reads);
    take_out(test.writes, &IgnoredState::writes);
  }
  facts.ignored_dependences = std::erase_if(flow.dependences, [&](DataDependence& dependence) {
    const StateId first = dependence.states.empty() ? StateId() : dependence.states.front();
    const bool any = take_out(dependence.states, &IgnoredState::dependences) > 0;
    if (any && !dependence.states.empty() && dependence.states.front() != first) {
      dependence.write.reset();  // they were those of the first state
      dependence.read.reset();
    }
    return any && dependence.states.empty();
  });
  for (auto& [id, state] : ignored) facts.ignored.push_back(std::move(state));
  facts.flow = std::move(flow);
  return facts;
}

}  // namespace gordian
