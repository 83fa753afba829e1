// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// From slots to outcomes: the one place that says what a slot, its branch's end and our own
// interventions mean together. A slot that does not hold what the agent wrote means nothing: then
// the result is lost, or, where the process had the memory for itself, its test's doing.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "model/outcome.h"
#include "runtime/native/plan.h"
#include "runtime/native/wire_memory.h"

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

  void intervene(std::uint32_t token, Intervention intervention);
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
  bool in_own_memory(std::uint32_t token) const;
  bool behind_the_culprit(std::uint32_t token) const;
  bool skipped_by_its_parent(std::uint32_t branch, const BranchEnd& outer) const;

  const WireMemory& memory_;
  const Plan& plan_;
  std::map<std::uint32_t, Intervention> interventions_;
  bool stopped_ = false;
};

}  // namespace gordian
