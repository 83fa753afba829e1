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
#include "model/target.h"
#include "model/test.h"
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

// JUnit XML for CI systems. One <testsuite> for each suite of each order of each run.
//  * fail is a <failure>; crash, timeout, exit and lost are an <error>; skip and not_run are
//    <skipped>, the latter with a message that says that the test has no result.
//  * One file may hold several binaries: when it does, suite and class names begin with the file
//  name
//    of the binary and a slash, since two binaries may have a suite of the same name.
//  * The first repeat bears the plain names, so that a CI system's history goes on; further repeats
//    add " (repeat 2)" to both, and each suite has a property "repeat".

/// A well-formed UTF-8 document whatever bytes the facts hold: what XML 1.0 cannot carry is U+FFFD.
std::string junit_xml(std::span<const RunFacts> runs);

// The table of `gordian list`: for each binary a header, then its tests with their places.

/// One binary. On a terminal (style.width > 0) wide names are cut in the middle so that the places
/// stay in one column; in a pipe nothing is cut. Ends with a newline.
std::string list_table(const Target& target, const Suite& suite, const Style& style);

}  // namespace gordian
