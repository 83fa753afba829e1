// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The facts of prioritising, reducing and checking orders: what was asked for, what came out, and
// what the tests did in those orders. Reports are pure functions of them.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/coverage.h"
#include "model/outcome.h"
#include "model/run.h"
#include "model/test.h"

namespace gordian {

/// In place of the id of a dependence that was found and not stored.
inline constexpr DependenceId kUnstored{-1};

/// The tests of one process, one after another.
struct ProcessOrder {
  Order order;
  std::vector<bool> extra;  ///< by place in it: it is run for the others

  friend bool operator==(const ProcessOrder&, const ProcessOrder&) = default;
};

/// One process for all of them, none of which is there for the others.
std::vector<ProcessOrder> in_one_process(Order tests);

/// All processes one after the other.
Order joined(const std::vector<ProcessOrder>& processes);
std::size_t count_extras(const std::vector<ProcessOrder>& processes);

/// The binary that all of it is about.
struct RankedBinary {
  BinaryIdentity binary;
  Target target;
  Suite suite;
  Order tests;  ///< those asked for, in the default order
};

/// Where coverage is from. `source` is empty where none was needed.
struct CoverageSource {
  std::string source;                       ///< "gcc --coverage", "lcov", ...
  std::string way;                          ///< "alone", "in order"
  std::string file;                         ///< of the user's own data
  std::optional<std::chrono::seconds> age;  ///< taken from the database
  std::size_t statements = 0, functions = 0;
  std::vector<std::string> notices;
};

/// A test whose result in some order is not the expected one.
struct ChangedResult {
  TestId test;
  Outcome expected, observed;
  Order order;  ///< the order up to it, in its process
  int runs = 0, differ = 0;
  DependenceId dependence;  ///< none: none is known that says so; or kUnstored

  /// As often as the order was run; else it is non-deterministic.
  bool confirmed() const { return differ == runs; }
};

/// What the tests of an order did, beside what is expected of them.
struct CheckedOrder {
  std::size_t tests = 0;                        ///< compared
  std::vector<ChangedResult> changed;           ///< confirmed
  std::vector<ChangedResult> nondeterministic;  ///< not each time
  std::size_t not_reached = 0;                  ///< after a test that ended the process
  std::size_t left_out = 0;  ///< known to be nondeterministic, or to end the default order
  std::chrono::nanoseconds wall{0};
};

/// What known dependences did to an order.
struct AwareFacts {
  std::size_t constraints = 0;
  std::vector<std::pair<TestId, DependenceId>>
      moved;  ///< out of the first process, for the sake of "D3"
  std::vector<std::pair<TestId, DependenceId>> impossible;  ///< no process could serve them
  std::vector<DependenceId> learned;  ///< dependences that checking the order has brought to light
};

struct RankedOrder {
  std::string technique;    ///< "T4"; "default" for the default order
  std::string description;  ///< "additional statement coverage"
  std::uint64_t seed = 0;
  std::vector<ProcessOrder> processes;
  std::optional<GrowthCurve> statements, functions;  ///< nullopt: nothing is known of coverage
  std::optional<AwareFacts> aware;                   ///< nullopt: dependences were not asked for
  std::optional<CheckedOrder> checked;               ///< nullopt: it was not run

  /// The curve of what the technique looks at.
  const std::optional<GrowthCurve>& main_curve() const;
  std::string_view main_units() const;
};

struct PrioritizeFacts {
  RankedBinary of;
  CoverageSource coverage;
  RankedOrder order;
  std::optional<RankedOrder> unaware;  ///< what it would be without dependences
  RankedOrder default_order;           ///< to compare with
  std::vector<std::string> files;      ///< written, one for each process
  std::vector<Notice> notices;
  RunEnd end = RunEnd::finished;
};

struct ImpactFacts {
  RankedBinary of;
  CoverageSource coverage;
  bool aware = false;
  int confirmations = 0;
  std::vector<RankedOrder> orders;
  std::vector<Notice> notices;
  RunEnd end = RunEnd::finished;

  /// Tests whose result some order changes.
  std::vector<TestId> affected() const;
};

/// All tests and those that are left, each run in its own process, or put apart otherwise.
struct ReducedTime {
  Isolation asked = Isolation::process, used = Isolation::process;
  std::chrono::nanoseconds all{0}, reduced{0};  ///< the least of `rounds`
};

/// A fault that the user has put into the program, and who notices it.
struct SeededFault {
  std::string name, command;
  std::vector<TestId> found_by;          ///< of all tests, in the default order
  std::vector<TestId> found_by_reduced;  ///< in the reduced order
  std::string trouble;                   ///< it could not be run; empty: it was
};

struct ReduceFacts {
  RankedBinary of;
  CoverageSource coverage;
  Order by_coverage;    ///< what Harrold, Gupta and Soffa keep
  Order kept_for_them;  ///< besides, because others need them
  RankedOrder order;    ///< of what is kept
  std::size_t statements_of_all = 0, statements_of_kept = 0;
  std::vector<ReducedTime> times;
  int rounds = 0;
  std::vector<SeededFault> faults;
  std::string faults_file;
  std::vector<std::string> files;
  std::vector<Notice> notices;
  RunEnd end = RunEnd::finished;

  std::size_t kept() const { return by_coverage.size() + kept_for_them.size(); }
};

}  // namespace gordian
