// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Splitting a suite over machines. Tests that need one another stay together; what is left over is
// spread by longest processing time first, which is never more than a third above the best split of
// the same groups. Each shard is a schedule (order/constraints.h) in the default order as far as
// constraints allow, so a victim never runs behind its polluter. The same input gives the same
// shards. Pure.
#pragma once

#include <chrono>
#include <vector>

#include "model/data_flow.h"
#include "model/export_facts.h"
#include "order/constraints.h"

namespace gordian {

struct Shard {
  Schedule schedule;
  std::chrono::nanoseconds time{0};  ///< as estimated, each test once; 0 without times
  std::size_t tests = 0;             ///< each counted once, in one shard
};

struct ShardRequest {
  const Constraints& constraints;
  Order tests;                                  ///< in the default order
  std::vector<std::chrono::nanoseconds> times;  ///< by test; empty: all the same
  std::size_t count = 1;
  Order helpers{};                                ///< tests of none of them that others may need
  std::vector<std::chrono::nanoseconds> loads{};  ///< by shard: what it has to do besides
};

/// Exactly `count` of them; some may be empty. REQUIRES: count > 0.
std::vector<Shard> make_shards(const ShardRequest& request);

/// The groups that must not be separated, each in the default order; by their first test.
std::vector<Order> inseparable_groups(const Constraints& constraints, const Order& tests);

// From constraints to rules for a runner that starts a process for each test, knows "before" and
// "not at the same time", and nothing of what is between. A victim runs before what pollutes it, or
// behind a cleaner; a brittle test behind its state-setter. The rules never contradict each other:
// where a wish would close a circle, it is unmet. Pure.

/// `flow`: what the tests read and write; null: nobody has looked, so there are no locks, and
/// nothing is known of what would undo a state-setter's work.
RunnerRules runner_rules(const Constraints& constraints, const DataFlow* flow);

/// How many shards of GoogleTest's own kind (test i of the default order runs in shard i modulo n)
/// keep every constraint: those of 1 to `most`, ascending. 1 is always among them.
std::vector<std::size_t> safe_round_robin(const Constraints& constraints, const Order& tests,
                                          std::size_t most);

}  // namespace gordian
