// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Follows one plan while it runs: reports each test once it is done, counts, and keeps the results.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/decode.h"
#include "engine/listener.h"
#include "engine/plan.h"

namespace gordian {

class PlanProgress {
 public:
  PlanProgress(const Plan& plan, const Decoder& decoder, RunListener& listener, std::size_t window);

  /// Reports what has finished since the last call. Looks only a window ahead of the oldest
  /// pending test: workers take branches in plan order. All of it once `state.over`.
  void advance(const ProcessState& state);
  std::size_t done() const { return done_; }

  /// The result at `token`; what was reported is not decoded again. `last_use`: it may be moved
  /// out. REQUIRES: `state.over`.
  TestRun result(std::uint32_t token, const ProcessState& state, bool last_use);

 private:
  const Decoder& decoder_;
  RunListener& listener_;
  std::vector<std::uint32_t> pending_;  ///< [first_, end) are not reported yet
  std::vector<TestRun> reported_;
  std::vector<std::uint32_t> place_;  ///< token -> 1 + its place in reported_; 0: not there
  std::size_t first_ = 0;
  std::size_t window_;
  std::size_t done_ = 0;
};

}  // namespace gordian
