// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "engine/plan_progress.h"

namespace gordian {

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
    listener_.test_finished(*run);
  }
  // What is still waiting moves to the end of the part looked at; the next call starts there.
  first_ = at - waiting.size();
  for (std::size_t i = 0; i < waiting.size(); ++i) pending_[first_ + i] = waiting[i];
}

}  // namespace gordian
