// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The facts of a split of the tests of one binary (or of one build, at the level of processes) into
// shards: what each runs, in which processes and orders, and what known dependences have cost.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "model/run.h"
#include "model/target.h"
#include "model/test.h"

namespace gordian {

struct ShardFacts {
  struct Process {
    Order order;
    std::vector<bool> extra;  ///< by place in it: run only because others need it there
    std::string file;         ///< where the order was written; empty: nowhere
  };
  struct Part {
    std::vector<Process> processes;
    std::size_t tests = 0, extras = 0;
    std::chrono::nanoseconds time{0};  ///< estimated; 0 if the split is by count
  };
  /// A test that a constraint kept out of where it would have been.
  struct KeptOut {
    TestId test;
    std::size_t shard = 0;    ///< counted from 0
    DependenceId dependence;  ///< none: a declared one
  };

  BinaryIdentity binary;
  Target target;
  Suite suite;
  bool searched = false;          ///< for dependences, this very build
  std::size_t known = 0;          ///< dependences that were kept to
  bool by_time = false;           ///< else by the number of tests
  std::optional<RunId> timed_by;  ///< the run whose times were used
  std::size_t untimed = 0;        ///< tests it has no time of: they count as the mean
  std::vector<Order> groups;      ///< two or more tests that must not be separated
  std::vector<Part> shards;
  std::vector<KeptOut> moved;       ///< into a process of their own, or with a few others
  std::vector<KeptOut> impossible;  ///< no process gives them their expected result
  std::vector<Notice> notices;
};

/// One split of everything that a command names.
struct ShardPlan {
  std::vector<ShardFacts> targets;
  std::size_t count = 1;
  std::string id;  ///< equal for equal splits, whichever machine made them

  /// Of all targets together.
  std::chrono::nanoseconds time_of(std::size_t shard) const;
  std::size_t tests_of(std::size_t shard) const;
  std::size_t extras_of(std::size_t shard) const;
};

/// The tests of a part that count there, in the order in which they run.
Order own_tests(const ShardFacts::Part& part);

}  // namespace gordian
