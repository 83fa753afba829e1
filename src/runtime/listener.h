// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What the engine tells while it runs. One stream of events feeds the terminal and the store alike.
// All calls come from the thread that called the engine.
#pragma once

#include <chrono>
#include <cstddef>
#include <vector>

#include "model/run.h"

namespace gordian {

/// A test running right now, as seen by the engine's watch loop.
struct RunningTest {
  TestId test;
  std::chrono::nanoseconds elapsed{0};
};

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

}  // namespace gordian
