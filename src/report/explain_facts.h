// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Dependences of one binary with their explanations: what the reports of `gordian explain` are
// functions of.
#pragma once

#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/dependence.h"
#include "model/explanation.h"

namespace gordian {

struct ExplainedDependence {
  Dependence dependence;
  Explanation explanation;
  std::optional<std::chrono::seconds> age;  ///< shown again from the database; nullopt: made now
};

struct ExplainFacts {
  std::string binary;  ///< path
  Suite suite;
  std::vector<ExplainedDependence> explained;
  std::string db;  ///< where it is stored; empty: nowhere
};

/// The explanation of a dependence by its name ("D3"); nullptr if there is none.
inline const Explanation* find_explanation(std::span<const Explanation> explanations,
                                           const std::string& name) {
  for (const Explanation& explanation : explanations) {
    if (explanation.dependence == name) return &explanation;
  }
  return nullptr;
}

}  // namespace gordian
