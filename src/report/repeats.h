// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What the repeats of one run say about each other.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "model/run.h"

namespace gordian {

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
