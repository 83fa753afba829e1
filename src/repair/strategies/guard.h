// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// One guard object as text: what it is made of, what the file needs around it, and what it does in
// words. The strategies that put state back at the end of a test differ in nothing but their
// guards.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "repair/strategies/scene.h"

namespace gordian::strategies {

/// An expression that denotes a state at a place of a test's file, as its author would write it,
/// with the includes and declarations that it needs there.
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

/// Adds that include, unless the file says the name already, and so knows it.
void need_header(const Scene& scene, const std::string& header, const std::string& name,
                 const Place& place, std::vector<std::string>& includes);

/// "::app::level" as the file says it: without what it need not say.
std::string spelled(const Scene& scene, const std::string& expression, const Place& place);

/// `object` with a path behind it: ("*p", ".x") -> "p->x".
std::string with_path(const std::string& object, const std::string& path);

/// "::std::vector<::app::Id *>" -> "std::vector<app::Id*>".
std::string plain_type(const std::string& type);

/// A template argument for a guard of this expression; `type` if that can be written down.
std::string type_text(const std::string& type, const std::string& expression);

struct Guard {
  std::string name;       ///< class of gordian_guards.h: "ScopedRestore"
  std::string type;       ///< its template argument; empty: it is no template
  std::string variable;   ///< "restore_level"
  std::string arguments;  ///< "app::level"; may be empty
  std::string does;       ///< "puts app::level back"
  std::string reason;     ///< why this way; may be empty

  std::set<std::string> parts{};        ///< more names of gordian_guards.h: "Expose"
  std::vector<std::string> includes{};  ///< "<csignal>", "\"app/cache.h\""
  std::vector<std::string> scope{};     ///< lines in front of the test, outside of any function
  Change product{};                     ///< of other files than the test's
  bool meanwhile = false;               ///< `does` is about the time that the test runs
  bool last_choice = false;             ///< may leave something that nobody can use any more

  std::string part() const;          ///< the smallest one of gordian_guards.h that serves
  std::string class_text() const;    ///< "gordian::ScopedRestore<int>"
  std::string as_statement() const;  ///< "gordian::ScopedRestore<int> restore_level(app::level);"
  std::string as_member() const;     ///< with braces
};

/// Ways to put one state back, best first; or why there is none.
struct Guards {
  std::vector<Guard> ways;
  std::string why_not;
};

/// What a strategy offers for one state at one place.
Guards reset_guards(const Scene& scene, const Subject& subject, const Place& place);
Guards restore_guards(const Scene& scene, const Subject& subject, const Place& place);
Guards process_guards(const Scene& scene, const Subject& subject, const Place& place);
Guards property_guards(const Scene& scene, const Subject& subject, const Place& place);
Guards fresh_guards(const Scene& scene, const Subject& subject, const Place& place);
Guards member_guards(const Scene& scene, const Subject& subject, const Place& place);
Guards accessor_guards(const Scene& scene, const Subject& subject, const Place& place);

/// How sentences name the state: "app::level", "the environment variable LANG".
std::string phrase(const Subject& subject);

/// "restore_level" for any expression or name.
std::string guard_variable(const std::string& verb, const std::string& expression);

/// A guard of class `name` for the expression, with what `way` needs around it.
Guard guard_on(const std::string& name, const Reach& way, const std::string& expression,
               const std::string& type);

/// Why source code cannot name and change the state, for strategies that need a variable; empty: it
/// can.
std::string why_no_variable(const Subject& subject);

}  // namespace gordian::strategies
