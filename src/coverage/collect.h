// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What each test of a suite covers, from one start of a program that was compiled for coverage:
// GCC's or Clang's --coverage, or Clang's -fprofile-instr-generate -fcoverage-mapping. The counters
// are read from outside, out of the memory of the process while it stands between two tests, so
// that nothing has to be written, no file of the user's changes, and a process that goes back to a
// snapshot loses nothing. See docs/coverage.md.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/coverage.h"
#include "model/run.h"
#include "runtime/native/executor.h"

namespace gordian {

struct CoverageProgress {
  std::size_t done = 0, total = 0;  ///< tests
  std::string doing;                ///< "reading the maps of counters", "running tests"
};

struct CoverageOptions {
  ExecutorOptions engine;  ///< jobs is taken as 1; should_stop is asked
  CoverageWay way = CoverageWay::alone;
  /// Told now and then, from the calling thread.
  std::function<void(const CoverageProgress&)> progress = [](const CoverageProgress&) {};
};

struct CollectedCoverage {
  Suite suite;
  BinaryIdentity binary;
  Coverage coverage;
  /// What came out of each test that ran, in the default order. With CoverageWay::in_order these
  /// are the expected results, as far as one run can tell.
  std::vector<TestRun> runs;
  std::vector<Notice> notices;  ///< of the engine: fall-backs and the like
};

/// Runs every test of the default order. A program without counters, or whose maps of them are
/// missing or older than it, is an Error{target} that says what to do. What is lost of single tests
/// is a notice of the coverage.
Result<CollectedCoverage> collect_coverage(const Target& target, const CoverageOptions& options);

}  // namespace gordian
