// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What debug information says beyond names and types of variables: linkage, access, headers, the
// function around a local static, and the methods of classes. By qualified name.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "repair/facts_json.h"
#include "repair/resets.h"
#include "repair/source_facts.h"
#include "symbols/debug_file.h"

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

}  // namespace gordian
