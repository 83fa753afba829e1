// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What debug information says: states, and beyond names and types of variables: linkage, access,
// headers, the function around a local static, and the methods of classes. By qualified name.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "repair/source_facts.h"
#include "repair/unit_facts.h"
#include "symbols/dwarf_file.h"

namespace gordian {

struct VariableDetails {
  bool external = false;   ///< other units can name it
  bool is_member = false;  ///< of a class
  bool is_const = false;
  Access access = Access::open;
  std::string header;  ///< with a declaration; empty: none was seen
  std::string owner;   ///< its class, or its function without "()"
};

/// A function without parameters and without an object that gives a reference or pointer.
struct GivingFunction {
  std::string expression;  ///< "::Settings::instance()", "*::cache()"
  std::string type;        ///< of what it gives
  Access access = Access::open;
  std::string header;
};

struct ClassDetails {
  std::vector<UnitState::Method> reset_methods;
  std::vector<ScoredReset> reset_functions;  ///< static ones; without the state
  std::map<std::string, Access> members;
};

struct DebugDetails {
  std::map<std::string, VariableDetails> variables;
  std::map<std::string, ClassDetails> classes;
  std::map<std::string, GivingFunction> functions;  ///< by "Settings::instance()"
};

/// `debug` holds the debug information. An error when it cannot be read.
Result<DebugDetails> read_debug_details(OpenElf debug);

/// States of a program as its debug information shows them: names and types as explanations have
/// them, who may name them, and functions that may lead to them or reset them, guessed by what they
/// return and how they are called. What only a compiler knows stays unknown.
struct DebugStates {
  std::vector<StateFact> states;
  std::vector<AccessorFact> accessors;
  std::vector<ResetFact> resets;
};

/// An error for a program without debug information. `cache_dir` as in DebugInfoOptions.
Result<DebugStates> read_debug_states(const std::filesystem::path& binary,
                                      const std::optional<std::filesystem::path>& cache_dir);

}  // namespace gordian
