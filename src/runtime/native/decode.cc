// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "runtime/native/decode.h"

#include <sys/wait.h>

#include <algorithm>
#include <csignal>
#include <utility>

namespace gordian {
namespace {

namespace wire = gordian_wire;

constexpr int kNotForked = 0xffff;
constexpr const char* kCannotRunAgain =
    "an earlier result of this test or its suite stands in the way of running it again in the "
    "same process, and the binary lacks the symbol to clear it";

constexpr const char* kHasOverwritten = "has overwritten Gordian's memory";

bool has_verdict(std::uint8_t status) {
  return status == wire::kPass || status == wire::kFail || status == wire::kSkip;
}
bool in_progress(std::uint8_t status) {
  return status == wire::kStarting || status == wire::kRunning;
}

Outcome lost_because(std::string why) {
  Outcome outcome;
  outcome.kind = OutcomeKind::lost;
  outcome.message = std::move(why);
  return outcome;
}
Outcome crash_by(int signal, std::string message) {
  Outcome outcome;
  outcome.kind = OutcomeKind::crash;
  outcome.signal = signal;
  outcome.message = std::move(message);
  return outcome;
}

/// False: there is none, or it is not what the agent wrote.
bool take_failure(Outcome& outcome, std::optional<WireMemory::Failure> failure) {
  if (!failure) return false;
  outcome.file = std::move(failure->file);
  outcome.line = std::max(failure->line, 0);
  outcome.message = std::move(failure->message);
  return true;
}

}  // namespace

bool has_overwritten(const Outcome& outcome) {
  return outcome.kind == OutcomeKind::crash && outcome.message == kHasOverwritten;
}

bool is_refusal(const Outcome& outcome) {
  return outcome.kind == OutcomeKind::lost && outcome.message == kCannotRunAgain;
}
std::optional<std::uint32_t> Decoder::refused_branch(std::uint32_t token) const {
  for (std::uint32_t at = plan_.branch_of(token); at != Plan::kNoBranch; at = plan_.branch_of(at)) {
    const wire::Slot slot = memory_.slot(at);
    if (slot.status == wire::kBranchUnsafe && memory_.intact(slot, at)) return at;
  }
  return std::nullopt;
}

Decoder::BranchEnd Decoder::branch_end(std::uint32_t token, const ProcessState& state) const {
  std::uint32_t branch = plan_.branch_of(token);
  if (branch == Plan::kNoBranch) {
    return {state.over, state.wait_status, state.over && !state.exited, state.leaked_children};
  }
  wire::Slot slot = memory_.slot(branch);
  if (!memory_.intact(slot, branch)) return {state.over, 0, state.over, 0};
  if (slot.status == wire::kBranchOk || slot.status == wire::kBranchDied) {
    return {true, slot.wait_status, slot.wait_status == kNotForked, slot.leaked_children};
  }
  if (slot.status == wire::kNotRun && plan_.branch_of(branch) != Plan::kNoBranch) {
    BranchEnd outer = branch_end(branch, state);  // the prefix never got here
    const bool lost = outer.lost || skipped_by_its_parent(branch, outer);
    return {outer.over, outer.wait_status, lost, 0};
  }
  return {state.over, 0, state.over, 0};
}

/// Its parent came to a good end, with a result of the test before, and passed over this branch all
/// the same: somebody has written where it keeps how far it came.
bool Decoder::skipped_by_its_parent(std::uint32_t branch, const BranchEnd& outer) const {
  if (!outer.over || outer.wait_status != 0) return false;
  std::uint32_t before = plan_.branch_of(branch) + 2;  // the last of the parent's tests
  while (plan_.tokens()[before + 1] >= 0) ++before;
  return has_verdict(memory_.slot(before).status);
}

FallBack Decoder::fall_back(std::uint32_t token) const {
  std::uint32_t branch = plan_.branch_of(token);
  if (branch == Plan::kNoBranch || !(memory_.header().flags & wire::kSnapshots)) {
    return FallBack::none;
  }
  static_assert(static_cast<int>(FallBack::signalled_others) == wire::kSignalledOthers);
  std::uint32_t obstacle = memory_.slot(branch).more_flags;
  return obstacle <= wire::kSignalledOthers ? static_cast<FallBack>(obstacle) : FallBack::refused;
}

bool Decoder::more_tests_follow(std::uint32_t token) const {
  return plan_.tokens()[token + 1] != wire::kClose;
}

bool Decoder::next_has_started(std::uint32_t token) const {
  return more_tests_follow(token) && memory_.slot(token + 1).status != wire::kNotRun;
}

/// The watchdog aimed at an earlier test of this process, which ended in that very moment.
bool Decoder::hit_by_mistake(std::uint32_t token) const {
  for (auto it = interventions_.begin(); it != interventions_.end() && it->first < token; ++it) {
    if (plan_.branch_of(it->first) == plan_.branch_of(token)) return true;
  }
  return false;
}

Outcome Decoder::setup_outcome() const {
  const wire::Report& start = memory_.at_start();
  Outcome outcome;
  outcome.kind = start.setup_failed == 1 ? OutcomeKind::fail : OutcomeKind::skip;
  if (take_failure(outcome, memory_.failure(start.setup_text))) {
    outcome.message.insert(0, "global set-up: ");
  }
  return outcome;
}

Outcome Decoder::finished_outcome(const wire::Slot& slot) const {
  // Newer versions "skip" what they do not run after a failed global set-up.
  if (slot.status == wire::kSkip && memory_.at_start().setup_failed == 1) return setup_outcome();
  if (slot.flags & wire::kRerunUnsure) return lost_because(kCannotRunAgain);
  Outcome outcome;
  outcome.kind = slot.status == wire::kPass   ? OutcomeKind::pass
                 : slot.status == wire::kFail ? OutcomeKind::fail
                                              : OutcomeKind::skip;
  if (outcome.kind == OutcomeKind::pass) return outcome;
  outcome.in_tear_down = (slot.more_flags & wire::kInTearDown) != 0;
  if (take_failure(outcome, memory_.failure(slot.text))) return outcome;
  if (slot.flags & wire::kTextLost) {
    outcome.message = "(the message did not fit into the agent's memory)";
  } else if (slot.text != 0) {
    outcome.kind = OutcomeKind::lost;
    outcome.message = "its message was overwritten while tests ran";
  }
  return outcome;
}

Outcome Decoder::interrupted_outcome(std::uint32_t token, const wire::Slot& slot,
                                     const BranchEnd& end, bool after_body) const {
  Outcome outcome;
  if (auto it = interventions_.find(token); it != interventions_.end()) {
    switch (it->second.reason) {
      case Intervention::Reason::timeout:
        outcome.kind = OutcomeKind::timeout;
        if (after_body) outcome.message = "after the test itself, in suite tear-down";
        if (slot.status == wire::kStarting) outcome.message = "in suite set-up";
        return outcome;
      case Intervention::Reason::output_limit:
        return crash_by(SIGKILL, "ended because it wrote more output than the limit");
    }
  }
  bool killed = end.lost || WIFSIGNALED(end.wait_status);
  if (stopped_ && killed) return outcome;  // not_run
  if (hit_by_mistake(token)) {
    return lost_because("ended together with the test before it, which had reached its limit");
  }
  if (end.lost) {
    return lost_because(end.wait_status == kNotForked
                            ? "the process for this test could not be forked"
                            : "the test process vanished without a trace");
  }
  if (WIFSIGNALED(end.wait_status)) {
    outcome.kind = OutcomeKind::crash;
    outcome.signal = WTERMSIG(end.wait_status);
  } else {
    outcome.kind = OutcomeKind::exit;
    outcome.exit_code = WEXITSTATUS(end.wait_status);
  }
  if (after_body) outcome.message = "after the test itself, in suite tear-down";
  if (slot.status == wire::kStarting) outcome.message = "in suite set-up";
  return outcome;
}

/// The process found out about an earlier test, and ended.
bool Decoder::behind_the_culprit(std::uint32_t token) const {
  return std::any_of(plan_.tests().begin(), plan_.tests().end(), [&](std::uint32_t before) {
    if (before >= token) return false;
    const wire::Slot slot = memory_.slot(before);
    return slot.status == wire::kOverwritten && memory_.intact(slot, before);
  });
}

/// Of a slot that is not what the agent wrote, or where the agent found that out itself.
Outcome Decoder::overwritten_outcome(std::uint32_t token, const wire::Slot& slot,
                                     const BranchEnd& end) const {
  // Nobody but the tests of one order could write there.
  const bool in_own_memory = plan_.branch_of(token) == Plan::kNoBranch;
  const bool noticed = memory_.intact(slot, token);
  const bool only_one = plan_.tests().size() == 1;
  if (stopped_ && !noticed) return {};                        // not_run
  if (in_own_memory && behind_the_culprit(token)) return {};  // not_run
  if (!in_own_memory || (!noticed && !only_one)) {
    return lost_because("its result was overwritten while tests ran");
  }
  const bool died = !end.lost && WIFSIGNALED(end.wait_status);
  return crash_by(died ? WTERMSIG(end.wait_status) : SIGKILL, kHasOverwritten);
}

/// A test that never started: global set-up failed, or an earlier test ended the process.
Outcome Decoder::not_run_outcome(std::uint32_t token, const BranchEnd& end) const {
  bool normal_end = !end.lost && WIFEXITED(end.wait_status);
  if (normal_end && memory_.at_start().setup_failed != 0 && interventions_.empty()) {
    return setup_outcome();
  }
  const bool lost = end.lost && !stopped_ && plan_.branch_of(token) != Plan::kNoBranch;
  return lost ? lost_because("the test process vanished before this test") : Outcome();
}

std::optional<TestRun> Decoder::result(std::uint32_t token, const ProcessState& state) const {
  wire::Slot slot = memory_.slot(token);
  BranchEnd end = branch_end(token, state);
  bool is_last = !next_has_started(token);
  if (has_verdict(slot.status) ? is_last && !end.over : !end.over) return std::nullopt;
  const bool overwritten = !memory_.intact(slot, token) || slot.status == wire::kOverwritten;
  if (overwritten && !state.over) return std::nullopt;  // perhaps half of it is written

  TestRun run;
  run.test = TestId{static_cast<std::uint32_t>(plan_.tokens()[token])};
  if (overwritten) {
    run.outcome = overwritten_outcome(token, slot, end);
    return run;
  }
  run.duration = std::chrono::nanoseconds(slot.duration_ns);
  run.leaks.threads = slot.leaked_threads;
  if (is_last && slot.status != wire::kNotRun) run.leaks.children = end.leaked_children;
  run.fall_back = fall_back(token);
  run.output_truncated = (slot.flags & wire::kOutputCut) != 0;
  if (has_verdict(slot.status)) {
    bool in_branch = plan_.branch_of(token) != Plan::kNoBranch;
    // A process that ran its whole order and then exits with the framework's code is in order.
    bool ended_early = is_last && (more_tests_follow(token) || (in_branch && end.wait_status != 0));
    run.outcome = ended_early && !end.lost ? interrupted_outcome(token, slot, end, true)
                                           : finished_outcome(slot);
    if (run.outcome.kind == OutcomeKind::not_run) run.outcome = finished_outcome(slot);
  } else if (in_progress(slot.status)) {
    run.outcome = interrupted_outcome(token, slot, end, false);
  } else {
    run.outcome = not_run_outcome(token, end);
  }
  if (slot.status != wire::kNotRun) run.output = memory_.output(slot);
  if (auto it = interventions_.find(token); it != interventions_.end())
    run.stack = it->second.stack;
  return run;
}

PlanProgress::PlanProgress(const Plan& plan, const Decoder& decoder, RunListener& listener,
                           std::size_t window, Repeats repeats)
    : plan_(plan),
      decoder_(decoder),
      listener_(listener),
      pending_(plan.tests()),
      repeats_(repeats),
      window_(window) {
  if (!listener.wants_results()) return;
  reported_.reserve(plan.tests().size());
  place_.resize(plan.tokens().size());
  told_.resize(plan.tokens().size());
  if (repeats != Repeats::maybe) return;
  alone_.resize(plan.tokens().size());
  for (std::size_t i = 0; i < plan.orders(); ++i) {
    const bool single = plan.positions(i).size() == 1;
    for (std::uint32_t token : plan.positions(i)) alone_[token] = single && !told_[token];
    for (std::uint32_t token : plan.positions(i)) told_[token] = true;  // seen, for now
  }
  told_.assign(told_.size(), false);
}

/// A lost test is run once more, and with it all others of its order.
bool PlanProgress::final_at_once(std::uint32_t token, const TestRun& run) const {
  if (repeats_ == Repeats::never) return true;
  return run.outcome.kind != OutcomeKind::lost && (repeats_ == Repeats::of_lost || alone_[token]);
}

void PlanProgress::settle(std::size_t order, const std::vector<TestRun>& runs) {
  if (!listener_.wants_results()) return;
  for (std::size_t p = 0; p < runs.size(); ++p) {
    const std::uint32_t token = plan_.positions(order)[p];
    if (told_[token]) continue;
    told_[token] = true;
    ++done_;
    listener_.test_finished(runs[p]);
  }
}

TestRun PlanProgress::result(std::uint32_t token, const ProcessState& state, bool last_use) {
  if (place_.empty() || place_[token] == 0) return *decoder_.result(token, state);
  TestRun& run = reported_[place_[token] - 1];
  return last_use ? std::move(run) : run;
}

void PlanProgress::advance(const ProcessState& state) {
  if (!listener_.wants_results()) return;
  std::size_t misses = 0, at = first_;
  std::vector<std::uint32_t> waiting;
  for (; at < pending_.size() && (state.over || misses < window_); ++at) {
    std::uint32_t token = pending_[at];
    if (decoder_.refused_branch(token)) continue;  // will be run again, flat
    auto run = decoder_.result(token, state);
    if (!run) {
      waiting.push_back(token);
      ++misses;
      continue;
    }
    misses = 0;
    if (!final_at_once(token, *run)) continue;
    ++done_;
    told_[token] = true;
    reported_.push_back(std::move(*run));
    place_[token] = static_cast<std::uint32_t>(reported_.size());
    listener_.test_finished(reported_.back());
  }
  // What is still waiting moves to the end of the part looked at; the next call starts there.
  first_ = at - waiting.size();
  for (std::size_t i = 0; i < waiting.size(); ++i) pending_[first_ + i] = waiting[i];
}

}  // namespace gordian
