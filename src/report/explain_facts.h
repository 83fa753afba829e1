// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Dependences of one binary with their explanations: what the reports of `gordian explain` are
// functions of.
#pragma once

#include <string>
#include <vector>

#include "model/dependence.h"

namespace gordian {

struct ExplainFacts {
  std::string binary;  ///< path
  Suite suite;
  std::vector<Dependence> explained;
  std::string db;  ///< where it is stored; empty: nowhere
};

}  // namespace gordian
