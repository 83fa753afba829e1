// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The last words of a run, as text: counts, the failures again, what the user must know to trust
// the numbers (notices, isolation, what was not run and why) and how to get the same run again.
// A pure function of the facts: the same now and when a stored run is shown later.
#pragma once

#include <chrono>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "model/run.h"
#include "report/terminal_style.h"

namespace gordian {

/// Several lines, each ending with a newline. `slow`: passing tests that took so long are counted;
/// 0 counts none.
std::string run_summary(const RunFacts& facts, const Style& style,
                        std::chrono::nanoseconds slow = {});

/// Of several binaries together: what was counted, and which of them had failures.
std::string runs_total(std::span<const RunFacts> runs, const Style& style,
                       std::chrono::nanoseconds slow = {});

OutcomeCounts count_outcomes(const OrderRun& order);

/// A test whose known results are not all the same.
struct ChangedTest {
  TestId test;
  /// Each different result (as by same_result) with the number of times it came, first seen first.
  std::vector<std::pair<Outcome, int>> results;
};

/// Tests that changed between repeats, in the suite's order. not_run and lost are no results: a
/// test that did not get its turn has not changed. A test that stands twice in an order is compared
/// with its own place in the other repeats: changing within one order is another phenomenon.
std::vector<ChangedTest> tests_that_changed(const RunFacts& facts);

}  // namespace gordian
