// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What runtimes can do besides running orders, each a power that one has or has not: what its
// options are, who is told how far it is, and what it results in. How it is done is told where it
// is done (flow/, coverage/, explain/).
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/coverage.h"
#include "model/data_flow.h"
#include "model/dependence.h"
#include "model/explanation.h"
#include "model/run.h"
#include "runtime/engine_options.h"

namespace gordian {

struct CollectProgress {
  /// Tests run, over all passes; total 0: unknown. It grows once it is known how many passes there
  /// will be.
  std::uint64_t done = 0, total = 0;
  std::string doing;  ///< "reading state", "watching 3 of 12"
};

/// Whoever finds out what tests read and write.
class FlowCollector {
 public:
  virtual ~FlowCollector() = default;

  /// Runs the tests of `order` one after another in one process.
  virtual Result<DataFlow> in_order(const Order& order) = 0;
  /// Runs each by itself, from the state before the first test.
  virtual Result<DataFlow> alone(const Order& tests) = 0;

  /// Asked and told about 20 times a second. Set before collecting.
  std::function<bool()> should_stop = [] { return false; };
  std::function<void(const CollectProgress&)> progress = [](const CollectProgress&) {};
};

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

/// What each test of a suite covers.
struct CollectedCoverage {
  Suite suite;
  BinaryIdentity binary;
  Coverage coverage;
  /// What came out of each test that ran, in the default order. With CoverageWay::in_order these
  /// are the expected results, as far as one run can tell.
  std::vector<TestRun> runs;
  std::vector<Notice> notices;  ///< of the engine: fall-backs and the like
};

/// To find the state that carries a dependence, put it back and prove it.
struct ExplainOptions {
  int proofs = 3;  ///< runs that must agree
  bool sites = true;
  std::chrono::milliseconds budget{0};  ///< for all of them; 0 = none
};

class ExplainListener {
 public:
  virtual ~ExplainListener() = default;
  /// What is done now, for a line on the screen: "comparing state", "resetting g_x", ...
  virtual void step(const Dependence& dependence, std::string_view what) = 0;
  virtual void explained(const Dependence& dependence, const Explanation& explanation) = 0;
};

/// One thing that `gordian doctor` has tried, on this machine or with a target.
struct DoctorFinding {
  enum class State { good, limit, bad } state = State::good;
  std::string what;  ///< "private files"
  std::string text;  ///< what was found
  std::string cost;  ///< what its lack costs, and what to do; empty when all is well
};

}  // namespace gordian
