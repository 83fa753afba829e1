// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// From constraints to rules for a runner that starts a process for each test, knows "before" and
// "not at the same time", and nothing of what is between. A victim runs before what pollutes it, or
// behind a cleaner; a brittle test behind its state-setter. The rules never contradict each other:
// where a wish would close a circle, it is unmet. Pure.
#pragma once

#include "model/data_flow.h"
#include "model/export_facts.h"
#include "order/constraints.h"

namespace gordian {

/// `flow`: what the tests read and write; null: nobody has looked, so there are no locks, and
/// nothing is known of what would undo a state-setter's work.
RunnerRules runner_rules(const Constraints& constraints, const DataFlow* flow);

/// How many shards of GoogleTest's own kind (test i of the default order runs in shard i modulo n)
/// keep every constraint: those of 1 to `most`, ascending. 1 is always among them.
std::vector<std::size_t> safe_round_robin(const Constraints& constraints, const Order& tests,
                                          std::size_t most);

}  // namespace gordian
