// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A dependence with what is known of it by now: each step adds its part, and the reports of all of
// them are functions of this.
#pragma once

#include <chrono>
#include <optional>

#include "model/dependence.h"
#include "model/explanation.h"
#include "model/repair.h"

namespace gordian {

struct KnownDependence {
  Dependence dependence;
  std::optional<Explanation> explanation;
  std::optional<Repair> repair;
  /// The explanation is shown again from a database; nullopt: it was made now.
  std::optional<std::chrono::seconds> age;

  /// One that says nothing, where there is none.
  const Explanation& explained() const {
    static const Explanation kNothing;
    return explanation ? *explanation : kNothing;
  }
};

}  // namespace gordian
