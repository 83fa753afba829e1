// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The facts of `gordian graph`.
#pragma once

#include <string>
#include <vector>

#include "model/flow_facts.h"
#include "model/run.h"

namespace gordian {

struct GraphFacts {
  BinaryIdentity binary;
  Target target;
  Suite suite;
  std::vector<FlowFacts> flows;  ///< of the default order; then, if asked for, of its reverse
  std::vector<Notice> notices;
  std::string db;  ///< where it is stored; empty: nowhere
};

}  // namespace gordian
