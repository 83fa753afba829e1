// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "config/ignore_list.h"

#include <fnmatch.h>

#include <algorithm>
#include <initializer_list>
#include <map>
#include <utility>

#include "state/kinds/state_kinds.h"

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

/// Takes states out of a flow, and counts.
class Ignoring {
 public:
  Ignoring(const std::vector<SharedState>& states, const IgnoreList& list, const Suite& suite)
      : states_(states), list_(list), suite_(suite) {}

  /// As one of these tests sees them. Returns how many were taken out.
  std::size_t take_out(std::vector<StateId>& states, std::initializer_list<TestId> tests,
                       std::uint64_t IgnoredState::*counter) {
    if (list_.empty()) return 0;
    return std::erase_if(states, [&](StateId id) {
      const std::string* rule = rule_for(states_.at(id.value()), tests);
      if (rule == nullptr) return false;
      const SharedState& state = states_.at(id.value());
      auto entry = ignored_.try_emplace({id, *rule}, IgnoredState{state.key, *rule, 0, 0, 0});
      ++(entry.first->second.*counter);
      return true;
    });
  }

  std::vector<IgnoredState> ignored() const {
    std::vector<IgnoredState> all;
    for (const auto& [key, state] : ignored_) all.push_back(state);
    return all;
  }

 private:
  const std::string* rule_for(const SharedState& state, std::initializer_list<TestId> tests) const {
    const std::string* rule = ignoring_rule(list_, state.key);
    for (TestId test : tests) {
      if (rule != nullptr) break;
      rule = ignoring_rule(list_, suite_.test(test), state.key);
    }
    return rule;
  }

  const std::vector<SharedState>& states_;
  const IgnoreList& list_;
  const Suite& suite_;
  std::map<std::pair<StateId, std::string>, IgnoredState> ignored_;
};

}  // namespace

const std::string* ignoring_rule(const IgnoreList& list, const StateKey& state) {
  const StateKindRow& row = row_of(state.kind());
  switch (row.ignored_in) {
    case IgnoreSection::variables:
      return find_rule(list.variables, state.text(), row.separators);
    case IgnoreSection::files:
      return find_rule(list.files, state.text(), row.separators);
    case IgnoreSection::environment:
      return find_rule(list.environment, state.text(), row.separators);
    case IgnoreSection::none:
      break;
  }
  return nullptr;
}

const std::string* ignoring_rule(const IgnoreList& list, const Test& test, const StateKey& state) {
  const StateKindRow& row = row_of(state.kind());
  if (row.ignored_in == IgnoreSection::none) return nullptr;
  for (const IgnoreList::OfTests& some : list.of_tests) {
    const std::string* rule = find_rule(some.names, state.text(), row.separators);
    if (rule != nullptr && some.tests.matches(test)) return rule;
  }
  return nullptr;
}

FlowFacts without_ignored(DataFlow flow, const IgnoreList& list, const Suite& suite) {
  FlowFacts facts;
  Ignoring ignoring(flow.states, list, suite);
  for (TestFlow& test : flow.tests) {
    ignoring.take_out(test.reads, {test.test}, &IgnoredState::reads);
    ignoring.take_out(test.writes, {test.test}, &IgnoredState::writes);
  }
  facts.ignored_dependences = std::erase_if(flow.dependences, [&](DataDependence& dependence) {
    const StateId first = dependence.states.empty() ? StateId() : dependence.states.front();
    const bool any = ignoring.take_out(dependence.states, {dependence.reader, dependence.writer},
                                       &IgnoredState::dependences) > 0;
    if (any && !dependence.states.empty() && dependence.states.front() != first) {
      dependence.write.reset();  // they were those of the first state
      dependence.read.reset();
    }
    return any && dependence.states.empty();
  });
  facts.ignored = ignoring.ignored();
  facts.flow = std::move(flow);
  return facts;
}

}  // namespace gordian
