// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Runs one witness again and again, each time holding it before its last test: to look at the state
// there, or to change it and see what the test then does. Other tests may run before it each time,
// so that what they make is there already when the witness begins.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/dependence.h"
#include "model/explanation.h"
#include "runtime/native/executor.h"
#include "runtime/native/held_process.h"
#include "runtime/native/tracer.h"
#include "state/external/external_state.h"
#include "state/program_memory.h"
#include "state/range_set.h"

namespace gordian {

/// A piece of state that the tests before have changed: perhaps the one that carries the
/// dependence.
struct Candidate {
  /// The likelier first: what the program owns, what it does to the outside, what belongs to
  /// others.
  enum class Tier : std::uint8_t { program, external, first_use, framework, library };

  Carrier carrier;
  Tier tier = Tier::program;
  bool by_last_test = true;  ///< changed by the test right before, not by an earlier one
  std::function<bool(HeldProcess&)> reset;
  std::vector<ByteRange> words;  ///< memory to watch for accesses; empty: look for `events`
  ByteRange root;                ///< memory: the variable, should nobody read the words themselves
  StateEvents events;
};

/// True if `a` is to be tried before `b`.
inline bool likelier(const Candidate& a, const Candidate& b) {
  if (a.tier != b.tier) return a.tier < b.tier;
  return a.by_last_test && !b.by_last_test;
}

/// Where the last test of a witness is held.
enum class Moment : std::uint8_t {
  before_suite,  ///< before the set-up of its suite, unless that was done for an earlier test
  before_test,   ///< after that, before its fixture is made
};

class WitnessLab {
 public:
  /// `behind`: what runs before the witness, and before the last test alone.
  WitnessLab(Executor& executor, const Dependence& dependence, Order behind = {})
      : executor_(executor), dependence_(dependence), behind_(std::move(behind)) {}

  using Visit = std::function<void(HeldProcess&)>;
  struct Visits {
    Visit at_start;     ///< before the first test of the witness and the set-up of its suite
    Visit before_last;  ///< before the test right before the last; not in a witness of two
    Visit at_end;       ///< at the moment
  };
  /// The outcome of the last test.
  Result<Outcome> run(const Visits& visits, Moment moment);
  /// The last test without the others of the witness, but for those that it needs to pass
  /// (Dependence::passes_after), held at the moment.
  Result<Outcome> run_alone(const Visit& visit, Moment moment);

  /// What the last test does once these are reset; nullopt: they could not be.
  Result<std::optional<Outcome>> reset(std::span<const Candidate* const> candidates, Moment moment);

  const Dependence& dependence() const { return dependence_; }
  const Order& behind() const { return behind_; }
  const Suite& suite() const { return executor_.suite(); }
  std::string executable() const { return executor_.executable(); }
  std::string name_of(TestId test) const { return suite().test(test).full_name(); }

 private:
  Order behind_then(const Order& tests) const;

  Executor& executor_;
  const Dependence& dependence_;
  Order behind_;
};

/// Everything that the first tests of a witness left changed before the last one.
struct StateDiff {
  std::vector<Candidate> candidates;  ///< the likeliest first
  std::size_t program_changes = 0;    ///< candidates that belong to the program
  std::vector<std::string> notes;     ///< what could not be looked at, and why
};

/// Against the state that the last test finds at the same moment when it runs alone, after the
/// lab's tests. Runs the witness once.
Result<StateDiff> state_diff(WitnessLab& lab, ProgramMemory& program, Moment moment);

/// It is one of these pieces of state, or lies in the same variable as one of them.
bool covers(const std::vector<Candidate>& whole, const Candidate& candidate);

// Where the program wrote or read a piece of its state: the last write before a test's end, the
// first read. Memory is watched in hardware; state of the kernel and of the C library is caught at
// the calls that write and read it. What takes a Tracer attaches nothing: its process stands still,
// is let go with `release` (which tells the agent to go on) and runs until `until` says that the
// test came to its end, the process ends, or the deadline passes. Accesses by our agent are none of
// the program's and do not count. On return the watches are still set; detach, or watch something
// else. Same thread as the Tracer.

struct SiteSearch {
  std::function<void()> release;
  std::function<bool()> until;  ///< asked about every millisecond
  Tracer::Clock::time_point deadline = Tracer::Clock::time_point::max();
  std::uint64_t max_hits = 100'000;  ///< then watching ends and the process runs at full speed
  KernelAccess kernel = KernelAccess::caught;
};

/// The last write to any of these bytes, with the number of writes before it. In one run: each
/// write costs a hit and the walk of its stack, names are looked up for the last only.
Result<std::optional<Site>> last_write(Tracer& tracer, std::span<const Watch> watches,
                                       const SiteSearch& search);

/// The first access that reads (read or read-and-write). The process stands still there.
Result<std::optional<Site>> first_read(Tracer& tracer, std::span<const Watch> watches,
                                       const SiteSearch& search);

struct FoundSites {
  std::optional<Site> write, read;
};

/// Where the state was written last before the witness's last test, and where that test reads it
/// first: by running the witness once more under the tracer. An error when the process may not be
/// traced.
Result<FoundSites> find_sites(WitnessLab& lab, ProgramMemory& program, const Candidate& candidate,
                              Moment moment, std::chrono::milliseconds patience);

}  // namespace gordian
