// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A dependence by the names of its tests. Numbers of tests hold for one build; names outlive it. So
// this is how a dependence is stored, and how a patched program is asked for it. Everybody else has
// numbers, and the two meet here.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "model/dependence.h"
#include "model/target.h"

namespace gordian {

struct NamedDependence {
  DependenceId id;
  std::string test{};
  Role role = Role::victim;
  std::vector<std::string> by{}, witness{}, singles{};  ///< as in Dependence
  Outcome alone{}, witnessed{}, expected{};
  std::vector<std::string> cleaners{}, passes_after{};
  /// How to start the program, and the build in which it was found last: as a database knows it.
  Target target{};
  std::string sha256{}, build_id{};

  /// What its test has to do once it is repaired: pass, whatever its role is said to be. Where
  /// nobody has seen it pass there is no goal.
  Outcome goal() const;
  bool has_goal() const { return goal().kind == OutcomeKind::pass; }
};

NamedDependence named(const Suite& suite, const Dependence& dependence);

/// By the numbers of `suite`. A test of the witness that it does not have is an error; others that
/// it lacks are left out: without one of them the dependence is still one.
Result<Dependence> numbered(const NamedDependence& dependence, const Suite& suite);

/// Full names.
std::vector<std::string> names_of(const Suite& suite, const std::vector<TestId>& tests);

}  // namespace gordian
