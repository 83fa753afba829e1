// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What runtimes can do besides running orders, each a power that one has or has not: what its
// options are, who is told how far it is, and what it results in. How it is done is told where it
// is done (flow/, coverage/, explain/native/).
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/coverage.h"
#include "model/data_flow.h"
#include "model/dependence.h"
#include "model/explanation.h"
#include "model/run.h"
#include "runtime/engine_options.h"

namespace gordian {

/// An order for each test, of that test alone.
inline std::vector<Order> each_alone(std::span<const TestId> tests) {
  std::vector<Order> orders;
  for (TestId test : tests) orders.push_back({test});
  return orders;
}

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

/// A piece of state that the tests before have changed for the last one of a witness: perhaps the
/// one that carries the dependence.
struct SuspectState {
  Carrier carrier;
  bool likely = true;  ///< worth telling, even if nothing is proved
  bool made_here =
      false;  ///< by the witness: it had no value before, and goes back as a whole only
};

struct SuspectStates {
  std::vector<SuspectState> all;  ///< the likeliest first
  std::size_t of_program = 0;     ///< how many of them are none of a library's
  bool can_be_put_back = true;
  std::string why_not;  ///< if none of them is proved to be the one
};

/// Looks at the state that carries one dependence, and puts it back. Each call runs the witness.
class StateProbe {
 public:
  virtual ~StateProbe() = default;

  /// What the last test finds changed, at the first moment at which that can be told; then at the
  /// next one. nullopt: there is none.
  virtual Result<std::optional<SuspectStates>> look() = 0;
  /// The outcome of the last test with these of what was looked at last (by place) as they were
  /// before; none: as it is. nullopt: they could not be put back.
  virtual Result<std::optional<Outcome>> put_back(std::span<const std::size_t> suspects) = 0;
  /// What takes longer to tell of one of them: its name in a library, and `with_sites` where it is
  /// written last and read first. An error says why such lines cannot be told.
  virtual Status complete(std::size_t suspect, bool with_sites, Carrier& carrier) {
    (void)suspect, (void)with_sites, (void)carrier;
    return {};
  }
  /// Another probe, which runs this test before the witness and looks at parts of these only, as
  /// they were looked at last. Null: the dependence is another one then, or that cannot be done.
  virtual std::unique_ptr<StateProbe> behind(TestId test, std::span<const std::size_t> whole) {
    (void)test, (void)whole;
    return nullptr;
  }
};

/// Makes probes, which live no longer than it and the dependence.
class StateProber {
 public:
  virtual ~StateProber() = default;
  virtual const Suite& suite() const = 0;
  virtual std::unique_ptr<StateProbe> probe(const Dependence& dependence) = 0;
};

/// A target that waits before its first test for a debugger to attach to it, and then runs an
/// order.
class DebugSession {
 public:
  virtual ~DebugSession() = default;
  virtual pid_t pid() const = 0;
  /// Where, in the memory of the program, the position in the order (0, 1, ...) of the test that
  /// runs now is: an unsigned int.
  virtual std::uint64_t position_address() const = 0;
  /// Starts the debugger in the foreground: keys such as Ctrl-C are for it alone. With
  /// `output_fd` >= 0 it prints there instead. Returns its exit code. An error says that it could
  /// not be started, or ended without attaching. May be called once.
  virtual Result<int> run(const std::vector<std::string>& argv, int output_fd) = 0;
};

/// One thing that `gordian doctor` has tried, on this machine or with a target.
struct DoctorFinding {
  enum class State { good, limit, bad } state = State::good;
  std::string what;  ///< "private files"
  std::string text;  ///< what was found
  std::string cost;  ///< what its lack costs, and what to do; empty when all is well
};

}  // namespace gordian
