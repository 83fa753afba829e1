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

}  // namespace gordian
