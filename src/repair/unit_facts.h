// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What gordian-facts prints, read back: facts of single translation units, in which states and
// functions are known by ids that mean the same in all units. link_facts() makes one picture of
// them. facts/document.md describes it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "repair/source_facts.h"

namespace gordian {

/// Of documents that we understand; facts/unit.h counts with it.
inline constexpr int kFactsVersion = 2;

struct UnitEffects {
  std::vector<std::string> writes;   ///< ids of states
  std::vector<std::string> calls;    ///< ids of functions
  std::vector<std::string> through;  ///< functions whose result is written to
  std::vector<std::string> outside;  ///< names of functions of the system
};

struct UnitState {
  std::string id;
  bool defined = false;  ///< else only declared in this unit
  StateFact fact;
  struct Method {
    std::string name;
    Access access = Access::open;
    bool parameters = false;
  };
  std::vector<Method> reset_methods;  ///< the best first
  struct Property {
    std::string get, set, type;  ///< names of methods, and the type of the value
    Access access = Access::open;
  };
  std::vector<Property> properties;
};

struct UnitFunction {
  std::string id;
  UnitEffects effects;
  std::vector<std::string> gives;     ///< states behind what it returns
  std::vector<std::string> gives_of;  ///< functions whose result it returns
};

struct UnitReset {
  ResetFact fact;  ///< without the state
  int score = 0;
  UnitEffects effects;
};

struct UnitProperty {
  PropertyFact fact;  ///< without the state
  UnitEffects effects;
};

struct UnitTest {
  TestFact fact;  ///< statements without may_write and calls
  std::vector<UnitEffects> effects;
};

struct UnitFixture {
  FixtureFact fact;
  UnitEffects set_up;
};

/// A file that was read: the user's by digest, libraries' by size and time.
struct UnitFile {
  std::string file, digest;
  std::uint64_t size = 0;
  std::int64_t time = 0;
};

struct UnitFacts {
  UnitFact unit;
  std::vector<UnitFile> files;
  std::vector<UnitState> states;
  std::vector<AccessorFact> accessors;  ///< state: its id
  std::vector<UnitReset> resets;
  std::vector<UnitProperty> properties;
  std::vector<UnitFunction> functions;
  std::vector<std::pair<std::string, std::string>> overrides;  ///< overridden, overriding
  struct Undefined {
    std::string id, name, file;
  };
  std::vector<Undefined> undefined;  ///< called, and not defined in this unit
  std::vector<UnitTest> tests;
  std::vector<UnitFixture> fixtures;
};

/// `output` may have other lines around the document. An error says what is wrong with it: cut off,
/// of another version, or something else altogether.
Result<std::vector<UnitFacts>> parse_unit_facts(std::string_view output);

/// Puts facts of several translation units together, as a linker does: a state that one unit
/// declares and another defines is one state, and what a statement may write is followed through
/// the calls of all units. Pure.
SourceFacts link_facts(const std::vector<UnitFacts>& units);

/// Functions that some unit calls and none defines.
std::vector<UnitFacts::Undefined> undefined_functions(const std::vector<UnitFacts>& units);

// A method of a state's class as code elsewhere can call it: on the state itself, where it can be
// named, and on what accessors give.

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
