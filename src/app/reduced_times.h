// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What all tests and the reduced ones take, with each isolation: wall time from start to end, one
// test at a time.
#pragma once

#include <functional>
#include <vector>

#include "app/front_end.h"
#include "base/result.h"
#include "model/rank_facts.h"

namespace gordian {

/// A listener for runs that are only timed.
class TimedRun : public SilentRunObserver {
 public:
  explicit TimedRun(std::function<void(std::size_t done, std::size_t total)> progress)
      : progress_(std::move(progress)) {}
  bool wants_results() const override { return false; }
  void tick(const std::vector<RunningTest>&, std::size_t done, std::size_t total) override {
    progress_(done, total);
  }

 private:
  std::function<void(std::size_t, std::size_t)> progress_;
};

/// Isolations process, snapshot and none, in turn, `rounds` times; the least time counts. An
/// interrupt is an error.
Result<std::vector<ReducedTime>> measure_times(const RunRequest& request, const RankedBinary& of,
                                               const std::vector<ProcessOrder>& reduced, int rounds,
                                               RunObserver& observer);

}  // namespace gordian
