// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "explain/witness_lab.h"

#include <algorithm>

namespace gordian {

Result<Outcome> WitnessLab::run(const Visits& visits) {
  const Order& witness = dependence_.witness;
  const std::size_t last = witness.size() - 1;
  std::vector<std::pair<std::size_t, const std::function<void(HeldProcess&)>*>> wanted;
  if (visits.at_start) wanted.emplace_back(0, &visits.at_start);
  if (visits.before_last && last >= 2) wanted.emplace_back(last - 1, &visits.before_last);
  if (visits.at_end) wanted.emplace_back(last, &visits.at_end);
  std::vector<std::size_t> positions;
  for (const auto& [position, visit] : wanted) positions.push_back(position);
  auto run = executor_.run_held(witness, positions, [&](HeldProcess& held) {
    for (const auto& [position, visit] : wanted) {
      if (position == held.position()) (*visit)(held);
    }
  });
  if (!run) return run.error();
  return run->runs.back().outcome;
}

Result<bool> WitnessLab::reset_helps(std::span<const Candidate* const> candidates) {
  bool all_reset = false;
  Visits visits;
  visits.at_end = [&](HeldProcess& held) {
    all_reset = std::all_of(candidates.begin(), candidates.end(),
                            [&](const Candidate* candidate) { return candidate->reset(held); });
  };
  auto outcome = run(visits);
  if (!outcome) return outcome.error();
  return all_reset && same_result(*outcome, dependence_.alone);
}

}  // namespace gordian
