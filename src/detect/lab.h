// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Where a search runs its orders: counts them, watches the budget, forgets outputs, and keeps to
// what is declared (model/declared.h): an order that must not be comes back as the lawful one that
// was run in its place, and tests that had to be added are not told of.
//
// Each order has a result that was seen, or one that says why not. A test without one has the kind
// not_run only after a test that ended its process, after one that it declares and that did not
// pass, or if the run was to stop; else it is lost. Orders with a lost test are run once more, each
// in a fresh process, before anybody is told.
//
// Below it, what is found out by many runs of it: shorter witnesses, and the expected results.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/result.h"
#include "detect/knowledge.h"
#include "model/declared.h"
#include "model/dependence.h"
#include "model/outcome.h"
#include "model/run.h"
#include "runtime/order_runner.h"

namespace gordian {

class Lab {
 public:
  /// `fresh`: every order in a process of its own (the slow reference, and the way out when forks
  /// would not be faithful copies).
  /// `should_stop`: results that are missing once it says yes were not lost.
  Lab(
      OrderRunner& runner, bool fresh, std::function<void()> heartbeat,
      std::function<bool()> should_stop = [] { return false; })
      : runner_(runner),
        fresh_(fresh),
        heartbeat_(std::move(heartbeat)),
        should_stop_(std::move(should_stop)),
        declared_(runner.suite()) {}

  /// Each order from the state before the first test. Results without outputs.
  Result<std::vector<OrderRun>> run(std::span<const Order> orders, OrderRunner::Shape shape);

  /// The same, in a fresh process each: another address layout, another process number.
  Result<std::vector<OrderRun>> run_in_fresh_processes(std::span<const Order> orders);

  /// `times` runs of one order; what its last test did in each.
  Result<std::vector<Outcome>> repeat(const Order& order, int times);

  /// What the last test of each order did, each in a fresh process of its own.
  Result<std::vector<Outcome>> last_outcomes_in_fresh(std::span<const Order> orders);
  /// Every run is one in a fresh process anyway.
  bool always_fresh() const { return fresh_; }

  /// The place where the last test of `order` crashes, as part of its result: file, line, function.
  /// As it was where that cannot be told.
  Outcome with_crash_place(const Order& order, Outcome crash);

  /// One order exactly as it is, whatever is declared; what its last test did each time.
  Result<std::vector<Outcome>> repeat_bare(const Order& order, int times);

  /// What the last test of each order did; not_run for an order that must not be.
  Result<std::vector<Outcome>> last_outcomes(std::span<const Order> orders);

  bool should_stop() const { return should_stop_(); }

  const Suite& suite() const { return runner_.suite(); }
  const Declared& declared() const { return declared_; }
  /// Those that were begun.
  std::uint64_t orders() const { return orders_; }
  std::uint64_t tests_run() const { return tests_run_; }

 private:
  Result<std::vector<OrderRun>> run_exactly(std::span<const Order> orders,
                                            OrderRunner::Shape shape);
  void take(OrderRun& run);
  Status repeat_lost(std::span<const Order> orders, std::vector<OrderRun>& runs);

  OrderRunner& runner_;
  bool fresh_;
  std::function<void()> heartbeat_;
  std::function<bool()> should_stop_;
  Declared declared_;
  std::uint64_t orders_ = 0, tests_run_ = 0;
};

// The shortest list of predecessors that still gives a test a certain result: delta debugging with
// many candidates at a time, each a fork of the same snapshot.

/// A subsequence of `before` after which `test` has the result `wanted`, 1-minimal: no single
/// member can be left out. Several members needed together are kept together. A candidate whose
/// process ends before `test` tells nothing, and counts as not giving the result. nullopt when not
/// even all of `before` gives it (any more), or when the search is to stop.
Result<std::optional<Order>> minimise(Lab& lab, const Order& before, TestId test,
                                      const Outcome& wanted);

// The expected results: the default order, repeated. What is nondeterministic there is set aside
// first.

/// The results of one order, repeated: which is the usual one, and how often it was another.
/// REQUIRES: outcomes is not empty. `differ` is 0 when all are the same. `order` as in
/// NondeterministicTest: empty for the default order.
NondeterministicTest describe_nondeterministic(TestId test, const Order& order,
                                               const std::vector<Outcome>& outcomes);

/// The same for a test that was stable in forks: results in fresh processes, after others and
/// alone. REQUIRES: not both are empty.
NondeterministicTest describe_nondeterministic_in_fresh(TestId test, const Order& order,
                                                        const std::vector<Outcome>& after,
                                                        const std::vector<Outcome>& alone);

/// How often the default order is run in fresh processes, too.
inline constexpr std::size_t kFreshRepeats = 2;

/// Runs the default order `repeats` times. A test that ends the process has that as its expected
/// result; the tests after it get theirs from the default order without it. Tests whose results
/// differ between repeats, or that could not be run, go into `facts`.
Status establish_expected(Lab& lab, Knowledge& knowledge, int repeats, DetectFacts& facts);

}  // namespace gordian
