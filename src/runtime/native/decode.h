// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// From slots to outcomes: the one place that says what a slot, its branch's end and our own
// interventions mean together. A slot that does not hold what the agent wrote means nothing: then
// the result is lost, or, where the process had the memory for itself, its test's doing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "model/outcome.h"
#include "runtime/native/plan.h"
#include "runtime/native/wire_memory.h"
#include "runtime/order_runner.h"

namespace gordian {

/// What the engine did to a test while it ran.
struct Intervention {
  enum class Reason : std::uint8_t { timeout, output_limit } reason = Reason::timeout;
  std::vector<StackFrame> stack;
};

/// How the process of a plan stands.
struct ProcessState {
  bool over = false;        ///< the plan is done, or the process is gone
  bool exited = false;      ///< the process is gone
  int wait_status = 0;      ///< if exited
  int leaked_children = 0;  ///< likewise: what it left running
};

/// The agent would not run the test: running it once more, in whatever process, changes nothing.
bool is_refusal(const Outcome& outcome);

/// The test wrote over memory that only its process and we have.
bool has_overwritten(const Outcome& outcome);

class Decoder {
 public:
  Decoder(const WireMemory& memory, const Plan& plan) : memory_(memory), plan_(plan) {}

  void intervene(std::uint32_t token, Intervention intervention) {
    interventions_.insert_or_assign(token, std::move(intervention));
  }
  /// Everything is being ended by the user's wish: what has no result by then was not run.
  void stop() { stopped_ = true; }

  /// The result of the test at `token`, once it can no longer change; nullopt before. After
  /// `state.over` every token has a result.
  std::optional<TestRun> result(std::uint32_t token, const ProcessState& state) const;

  /// The branch on this token's path that the agent refused to fork; nullopt if none.
  std::optional<std::uint32_t> refused_branch(std::uint32_t token) const;

 private:
  struct BranchEnd {
    bool over = false;
    int wait_status = 0;
    bool lost = false;  ///< over without having been run to its end, by no fault of its tests
    int leaked_children = 0;
  };
  BranchEnd branch_end(std::uint32_t token, const ProcessState& state) const;
  FallBack fall_back(std::uint32_t token) const;
  bool next_has_started(std::uint32_t token) const;
  bool hit_by_mistake(std::uint32_t token) const;
  bool more_tests_follow(std::uint32_t token) const;
  Outcome setup_outcome() const;
  Outcome finished_outcome(const gordian_wire::Slot& slot) const;
  Outcome interrupted_outcome(std::uint32_t token, const gordian_wire::Slot& slot,
                              const BranchEnd& end, bool after_body) const;
  Outcome not_run_outcome(std::uint32_t token, const BranchEnd& end) const;
  Outcome overwritten_outcome(std::uint32_t token, const gordian_wire::Slot& slot,
                              const BranchEnd& end) const;
  bool behind_the_culprit(std::uint32_t token) const;
  bool skipped_by_its_parent(std::uint32_t branch, const BranchEnd& outer) const;

  const WireMemory& memory_;
  const Plan& plan_;
  std::map<std::uint32_t, Intervention> interventions_;
  bool stopped_ = false;
};

/// Follows one plan while it runs: reports each test once it is done, counts, and keeps the
/// results. A listener hears of each test once: what may be run again is held back until that is
/// decided.
class PlanProgress {
 public:
  /// Whether the orders of this plan may be run once more, in another.
  enum class Repeats {
    never,
    of_lost,  ///< only what was lost
    maybe,
  };

  PlanProgress(const Plan& plan, const Decoder& decoder, RunListener& listener, std::size_t window,
               Repeats repeats = Repeats::never);

  /// Reports what has finished since the last call. Looks only a window ahead of the oldest
  /// pending test: workers take branches in plan order. All of it once `state.over`. With
  /// Repeats::maybe only tests in an order of their own that were not lost; the rest by settle().
  void advance(const ProcessState& state);
  /// The results of this order are final: reports those that were held back.
  void settle(std::size_t order, const std::vector<TestRun>& runs);
  std::size_t done() const { return done_; }
  /// The listener knows the result at `token`.
  bool told(std::uint32_t token) const { return !told_.empty() && told_[token]; }

  /// The result at `token`; what was reported is not decoded again. `last_use`: it may be moved
  /// out. REQUIRES: `state.over`.
  TestRun result(std::uint32_t token, const ProcessState& state, bool last_use);

 private:
  bool final_at_once(std::uint32_t token, const TestRun& run) const;

  const Plan& plan_;
  const Decoder& decoder_;
  RunListener& listener_;
  std::vector<std::uint32_t> pending_;  ///< [first_, end) are not reported yet
  std::vector<TestRun> reported_;
  std::vector<std::uint32_t> place_;  ///< token -> 1 + its place in reported_; 0: not there
  std::vector<bool> told_;            ///< by token, once the listener knows
  std::vector<bool> alone_;           ///< by token: the only test of its only order
  Repeats repeats_;
  std::size_t first_ = 0;
  std::size_t window_;
  std::size_t done_ = 0;
};

}  // namespace gordian
