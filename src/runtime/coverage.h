// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Power of a runtime: what each test of a suite covers. How this is done is told where it is done
// (coverage/).
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "model/coverage.h"
#include "model/run.h"
#include "runtime/engine_options.h"

namespace gordian {

struct CoverageProgress {
  std::size_t done = 0, total = 0;  ///< tests
  std::string doing;                ///< "reading the maps of counters", "running tests"
};

struct CoverageOptions {
  EngineOptions engine;  ///< jobs is taken as 1; should_stop is asked
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

}  // namespace gordian
