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
std::string said(const Subject& subject);

}  // namespace gordian::strategies
