// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "engine/plan_progress.h"

#include <utility>

namespace gordian {

PlanProgress::PlanProgress(const Plan& plan, const Decoder& decoder, RunListener& listener,
                           std::size_t window)
    : decoder_(decoder), listener_(listener), pending_(plan.tests()), window_(window) {
  if (!listener.wants_results()) return;
  reported_.reserve(plan.tests().size());
  place_.resize(plan.tokens().size());
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
    ++done_;
    reported_.push_back(std::move(*run));
    place_[token] = static_cast<std::uint32_t>(reported_.size());
    listener_.test_finished(reported_.back());
  }
  // What is still waiting moves to the end of the part looked at; the next call starts there.
  first_ = at - waiting.size();
  for (std::size_t i = 0; i < waiting.size(); ++i) pending_[first_ + i] = waiting[i];
}

}  // namespace gordian
