// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Dependences of one binary with their explanations: what the reports of `gordian explain` are
// functions of.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "model/report_facts.h"

namespace gordian {

struct ExplainFacts {
  std::string binary;  ///< path
  Suite suite;
  std::vector<KnownDependence> explained;
  std::string db;  ///< where it is stored; empty: nowhere
};

/// The explanation of a dependence; nullptr if there is none.
inline const Explanation* find_explanation(std::span<const Explanation> explanations,
                                           DependenceId id) {
  for (const Explanation& explanation : explanations) {
    if (explanation.dependence == id) return &explanation;
  }
  return nullptr;
}

}  // namespace gordian
