// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Runs one witness again and again, each time holding it before its last test: to look at the state
// there, or to change it and see what the test then does.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "engine/executor.h"
#include "explain/candidate.h"
#include "suite/dependence.h"

namespace gordian {

class WitnessLab {
 public:
  WitnessLab(Executor& executor, const Dependence& dependence)
      : executor_(executor), dependence_(dependence) {}

  /// What one run of the witness shows.
  struct Visits {
    std::function<void(HeldProcess&)> at_start;     ///< before the first test
    std::function<void(HeldProcess&)> before_last;  ///< before the test right before the last
    std::function<void(HeldProcess&)> at_end;       ///< before the last test
  };
  /// The outcome of the last test.
  Result<Outcome> run(const Visits& visits);

  /// True if the last test does as it does alone, once these are reset.
  Result<bool> reset_helps(std::span<const Candidate* const> candidates);

  const Dependence& dependence() const { return dependence_; }
  const Suite& suite() const { return executor_.suite(); }
  std::string executable() const { return executor_.executable(); }
  std::string test_name() const { return suite().test(dependence_.test).full_name(); }

 private:
  Executor& executor_;
  const Dependence& dependence_;
};

}  // namespace gordian
