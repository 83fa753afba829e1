// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "runtime/native/plan_progress.h"

#include <utility>

namespace gordian {

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
