// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Follows one plan while it runs: reports each test once it is done, counts, and keeps the results.
// A listener hears of each test once: what may be run again is held back until that is decided.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/native/decode.h"
#include "runtime/native/plan.h"
#include "runtime/order_runner.h"

namespace gordian {

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
