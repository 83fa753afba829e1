// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// An expression that denotes a state at a place of a test's file, as its author would write it,
// with the includes and declarations that it needs there.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "repair/strategies/scene.h"

namespace gordian::strategies {

struct Reach {
  std::string expression;   ///< "app::level", "app::Cache::get()", "*app::Metrics::get()"
  std::string type;         ///< of what it denotes; empty: only the compiler knows
  bool is_pointee = false;  ///< it denotes what the state points to
  std::vector<std::string> includes;
  std::vector<std::string> scope;  ///< declarations in front of the test
  std::set<std::string> parts;     ///< of gordian_guards.h
};

struct Reached {
  std::vector<Reach> ways;  ///< best first
  std::string why_not;
};

/// By its name or an accessor, as anybody may.
Reached reach(const Scene& scene, const StateFact& state, const Place& place);

/// The include that makes a header known in a file, as the file spells others of that kind; empty:
/// `file` itself, or the header is no file of the project.
std::string include_of(const Scene& scene, const std::string& file, const std::string& header);

/// "::app::level" as the file says it: without what it need not say.
std::string spelled(const Scene& scene, const std::string& expression, const Place& place);

/// `object` with a path behind it: ("*p", ".x") -> "p->x".
std::string with_path(const std::string& object, const std::string& path);

/// "::std::vector<::app::Id *>" -> "std::vector<app::Id*>".
std::string plain_type(const std::string& type);

/// A template argument for a guard of this expression; `type` if that can be written down.
std::string type_text(const std::string& type, const std::string& expression);

}  // namespace gordian::strategies
