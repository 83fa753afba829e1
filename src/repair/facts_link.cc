// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "repair/unit_facts.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>

namespace gordian {
namespace {

/// What something does in the end.
struct Reached {
  std::set<std::string> writes;   ///< ids of states
  std::set<std::string> outside;  ///< names of functions without a body in sight
};

class Program {
 public:
  explicit Program(const std::vector<UnitFacts>& units) {
    for (const UnitFacts& unit : units) {
      for (const UnitFunction& function : unit.functions)
        functions_.emplace(function.id, &function);
      for (const auto& [base, derived] : unit.overrides) overrides_.emplace(base, derived);
      for (const auto& one : unit.undefined) names_.emplace(one.id, one.name);
    }
  }

  Reached reach(const UnitEffects& effects) const {
    Reached reached;
    std::unordered_set<std::string> seen;
    std::vector<std::string> waiting;
    add(effects, reached, waiting);
    while (!waiting.empty()) {
      const std::string id = std::move(waiting.back());
      waiting.pop_back();
      if (!seen.insert(id).second) continue;
      const auto [first, last] = overrides_.equal_range(id);
      for (auto it = first; it != last; ++it) waiting.push_back(it->second);
      if (const auto known = functions_.find(id); known != functions_.end()) {
        add(known->second->effects, reached, waiting);
      } else if (const auto name = names_.find(id); name != names_.end()) {
        reached.outside.insert(name->second);
      }
    }
    return reached;
  }

  bool defines(const std::string& id) const { return functions_.contains(id); }

 private:
  void add(const UnitEffects& effects, Reached& reached, std::vector<std::string>& waiting) const {
    reached.writes.insert(effects.writes.begin(), effects.writes.end());
    reached.outside.insert(effects.outside.begin(), effects.outside.end());
    waiting.insert(waiting.end(), effects.calls.begin(), effects.calls.end());
    std::unordered_set<std::string> seen;
    for (const std::string& accessor : effects.through) add_given(accessor, reached, seen);
  }

  void add_given(const std::string& id, Reached& reached,
                 std::unordered_set<std::string>& seen) const {
    const auto known = functions_.find(id);
    if (known == functions_.end() || !seen.insert(id).second) return;
    reached.writes.insert(known->second->gives.begin(), known->second->gives.end());
    for (const std::string& inner : known->second->gives_of) add_given(inner, reached, seen);
  }

  std::unordered_map<std::string, const UnitFunction*> functions_;
  std::unordered_multimap<std::string, std::string> overrides_;
  std::unordered_map<std::string, std::string> names_;
};

/// The definition counts, but a header may be known to another unit only.
std::map<std::string, UnitState> merged_states(const std::vector<UnitFacts>& units) {
  std::map<std::string, UnitState> states;
  for (const UnitFacts& unit : units) {
    for (const UnitState& state : unit.states) {
      const auto [known, is_new] = states.try_emplace(state.id, state);
      if (is_new) continue;
      const std::string header =
          known->second.fact.header.empty() ? state.fact.header : known->second.fact.header;
      if (state.defined && !known->second.defined) known->second = state;
      known->second.fact.header = header;
    }
  }
  return states;
}

class Linker {
 public:
  explicit Linker(const std::vector<UnitFacts>& units)
      : units_(units), program_(units), states_(merged_states(units)) {}

  SourceFacts link() {
    facts_.by_compiler = true;
    for (const auto& [id, state] : states_) facts_.states.push_back(state.fact);
    for (const UnitFacts& unit : units_) {
      facts_.units.push_back(unit.unit);
      add_accessors(unit);
    }
    add_resets();
    add_properties();
    for (const UnitFacts& unit : units_) {
      for (const UnitTest& test : unit.tests) add_test(test);
      for (const UnitFixture& fixture : unit.fixtures) add_fixture(fixture);
    }
    return std::move(facts_);
  }

 private:
  void add_accessors(const UnitFacts& unit) {
    for (AccessorFact accessor : unit.accessors) {
      const auto state = states_.find(accessor.state);
      if (state == states_.end() ||
          !accessors_seen_.insert({accessor.state, accessor.expression}).second)
        continue;
      accessor.state = state->second.fact.name;
      facts_.accessors.push_back(std::move(accessor));
    }
  }

  void add_resets() {
    std::vector<ScoredReset> found;
    for (const auto& [id, state] : states_) {
      add_reset_methods(state.fact, state.reset_methods, facts_.accessors, found);
    }
    for (const UnitFacts& unit : units_) {
      for (const UnitReset& reset : unit.resets) {
        for (const std::string& id : program_.reach(reset.effects).writes) {
          const auto state = states_.find(id);
          if (state == states_.end()) continue;
          ScoredReset one{reset.fact, reset.score};
          one.fact.state = state->second.fact.name;
          found.push_back(std::move(one));
        }
      }
    }
    facts_.resets = best_first(std::move(found));
  }

  /// Of functions, for each state that the setter may write; and of the methods of a state's class.
  void add_properties() {
    for (const UnitFacts& unit : units_) {
      for (const UnitProperty& property : unit.properties) {
        for (const std::string& id : program_.reach(property.effects).writes) {
          const auto state = states_.find(id);
          if (state != states_.end()) add_property(property.fact, state->second.fact.name);
        }
      }
    }
    for (const auto& [id, state] : states_) {
      for (PropertyFact& property : method_properties(state, facts_.accessors)) {
        add_property(std::move(property), state.fact.name);
      }
    }
  }

  void add_property(PropertyFact property, const std::string& state) {
    if (!properties_seen_.insert({state, property.set}).second) return;
    property.state = state;
    facts_.properties.push_back(std::move(property));
  }

  std::vector<std::string> names_of(const std::set<std::string>& ids) const {
    std::set<std::string> names;
    for (const std::string& id : ids) {
      const auto state = states_.find(id);
      if (state != states_.end() && !state->second.fact.is_const)
        names.insert(state->second.fact.name);
    }
    return {names.begin(), names.end()};
  }

  void add_test(const UnitTest& test) {
    if (!tests_seen_.insert({test.fact.macro.file, test.fact.macro.begin}).second) return;
    TestFact fact = test.fact;
    for (std::size_t i = 0; i < fact.statements.size(); ++i) {
      const Reached reached = program_.reach(test.effects[i]);
      fact.statements[i].may_write = names_of(reached.writes);
      fact.statements[i].calls.assign(reached.outside.begin(), reached.outside.end());
    }
    facts_.tests.push_back(std::move(fact));
  }

  void add_fixture(const UnitFixture& fixture) {
    if (!fixtures_seen_.insert({fixture.fact.body.file, fixture.fact.name}).second) return;
    FixtureFact fact = fixture.fact;
    fact.set_up_writes = names_of(program_.reach(fixture.set_up).writes);
    facts_.fixtures.push_back(std::move(fact));
  }

  const std::vector<UnitFacts>& units_;
  Program program_;
  std::map<std::string, UnitState> states_;
  SourceFacts facts_;
  std::set<std::pair<std::string, std::string>> accessors_seen_, fixtures_seen_, properties_seen_;
  std::set<std::pair<std::string, std::size_t>> tests_seen_;
};

}  // namespace

SourceFacts link_facts(const std::vector<UnitFacts>& units) {
  return Linker(units).link();
}

std::vector<UnitFacts::Undefined> undefined_functions(const std::vector<UnitFacts>& units) {
  const Program program(units);
  std::vector<UnitFacts::Undefined> result;
  for (const UnitFacts& unit : units) {
    std::copy_if(unit.undefined.begin(), unit.undefined.end(), std::back_inserter(result),
                 [&](const auto& one) { return !program.defines(one.id); });
  }
  return result;
}

}  // namespace gordian
