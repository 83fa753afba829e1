// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Everything that is known of a test binary, as one value: its last search, what explains and
// repairs its dependences, what its tests cost. Loaded from a database (store/report_store.h);
// every report is a pure function of it.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "model/coverage.h"
#include "model/dependence.h"
#include "model/run.h"

namespace gordian {

/// A set of test numbers as runs of neighbours. Searches go through pairs in rows, so what they
/// have covered of a row is some runs, most often one or none; 20,000 x 20,000 flags would be 50
/// MB.
struct IdRun {
  std::uint32_t first = 0, count = 0;  ///< `count` is never 0

  friend bool operator==(const IdRun&, const IdRun&) = default;
};

/// In order, with a gap between each two.
using IdRuns = std::vector<IdRun>;

/// The places of the flags that are set.
IdRuns runs_of(const std::vector<bool>& flags);

/// REQUIRES: all numbers are below flags.size().
void set_flags(const IdRuns& runs, std::vector<bool>& flags);

/// What the tests did and cost in the newest whole run of one isolation, in its default order.
struct ReportedRun {
  RunId id;
  Isolation isolation = Isolation::fork;
  std::int64_t started_unix_ms = 0;
  std::chrono::nanoseconds wall{0};
  std::vector<TestRun> tests;  ///< as they ran; without output and stacks
};

/// A run of this build, in whatever order.
struct PastRun {
  RunId id;
  std::string order_spec;
  Isolation isolation = Isolation::fork;
  std::int64_t started_unix_ms = 0;
  std::chrono::nanoseconds wall{0};
  RunEnd end = RunEnd::unfinished;
  std::size_t tests = 0, failed = 0;  ///< results, over all repeats; those that are failures
};

/// Ordered pairs of tests that searches of this build ran from a clean start.
struct ReportedPairs {
  std::vector<IdRuns> covered;  ///< for each first test the second ones, by place in the suite
  std::vector<std::pair<TestId, TestId>> changed;  ///< first, second: the second's result is
                                                   ///< another one than alone
};

/// How fast an order covers: the last one of a technique.
struct ReportedCurve {
  std::string technique;  ///< "T4", "T4 aware", "default"
  std::string units;      ///< "statements", "functions"
  std::uint64_t seed = 0;
  GrowthCurve curve;  ///< its `units` are not known any more
};

struct ReportedSuite {
  DetectFacts detect;                  ///< the last search; of its dependences all that is known
  std::int64_t search = 0;             ///< its number in the database
  std::int64_t ended_unix_ms = 0;      ///< when it ended
  std::string source_root;             ///< paths of patches are below it
  std::vector<ReportedRun> runs;       ///< at most one for each isolation
  std::vector<PastRun> history;        ///< newest first; not endlessly many
  std::optional<ReportedPairs> pairs;  ///< nullopt: none are stored
  std::vector<ReportedCurve> curves;   ///< of prioritised orders of this build
};

struct ReportFacts {
  std::vector<ReportedSuite> suites;  ///< by path of the binary
  std::string db;
  std::int64_t made_unix_ms = 0;
};

// Dependences of one binary with their explanations: what the reports of `gordian explain` are
// functions of.

struct ExplainFacts {
  std::string binary;  ///< path
  Suite suite;
  std::vector<Dependence> explained;
  std::string db;  ///< where it is stored; empty: nowhere
};

// The fix of one binary with what a reader wants beside it: what the reports of `gordian fix` are
// functions of.

struct FixReport {
  std::string binary;  ///< path
  Suite suite;
  std::vector<Dependence> dependences;  ///< one for each of fix.repairs
  FixFacts fix;
  std::string db;                           ///< where it is stored; empty: nowhere
  std::optional<std::chrono::seconds> age;  ///< shown again from the database; nullopt: made now
  bool applied = false;                     ///< the files of the source have the patch
  std::string diff_file;                    ///< the patch was written there; empty: nowhere
  std::string apply_command;                ///< what the user may type next
  std::vector<Notice> notices;
};

}  // namespace gordian
