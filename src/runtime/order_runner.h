// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What a search needs of the outside world: one suite, a way to run any of its orders, and somebody
// who is told meanwhile. Executor does it with real processes; the tests of the search have a twin
// in memory that starts none.
#pragma once

#include <chrono>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/run.h"

namespace gordian {

/// A test running right now, as seen by the engine's watch loop.
struct RunningTest {
  TestId test;
  std::chrono::nanoseconds elapsed{0};
};

/// What the engine tells while it runs. One stream of events feeds the terminal and the store
/// alike. All calls come from the thread that called the engine.
class RunListener {
 public:
  virtual ~RunListener() = default;

  /// False: test_finished() need not be called, which is cheaper. Results are returned anyway.
  virtual bool wants_results() const { return true; }

  /// Called once per finished test, in the order of completion (not of the plan, with -j).
  virtual void test_finished(const TestRun& run) { (void)run; }

  /// Called about 20 times a second with what is running now, while anything is.
  virtual void tick(const std::vector<RunningTest>& running, std::size_t done, std::size_t total) {
    (void)running, (void)done, (void)total;
  }

  virtual void notice(const Notice& notice) { (void)notice; }
};

class OrderRunner {
 public:
  virtual ~OrderRunner() = default;

  virtual const Suite& suite() const = 0;

  /// Why forking this binary would not give faithful copies; empty when it does.
  virtual const std::vector<std::string>& fork_problems() const = 0;

  enum class Shape {
    flat,  ///< every order from the snapshot
    tree,  ///< common prefixes run once
  };

  /// One OrderRun for each order, in the same sequence, with one TestRun for each position. What
  /// comes after the end of its process, or was not begun because of an interrupt, is not_run.
  /// Each order in forks of the state before the first test, several at a time.
  virtual Result<std::vector<OrderRun>> run_forked(std::span<const Order> orders, Shape shape,
                                                   RunListener& listener) = 0;

  /// The same, each order in a fresh process of its own.
  virtual Result<std::vector<OrderRun>> run_fresh(std::span<const Order> orders,
                                                  RunListener& listener) = 0;

  /// The lost result would be lost again, in whatever process.
  virtual bool is_final(const Outcome& lost) const {
    (void)lost;
    return false;
  }

  /// Where the last test of `order` crashes, innermost frame first. Empty when it does not, or when
  /// it cannot be told.
  virtual std::vector<StackFrame> crash_stack(const Order& order) {
    (void)order;
    return {};
  }
};

}  // namespace gordian
