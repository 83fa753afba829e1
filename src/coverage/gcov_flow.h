// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// How often each block of a function ran, from the counters of some of the ways between blocks:
// what flows into a block flows out of it. The ways without a counter are a tree, so one block
// after another has a single unknown way left; in which sequence is found out once.
//
// Calls that may not come back have a way to the end of the function. That makes the answer right
// also while a function runs: a call that has not returned counts as one that never will, and one
// that began before the counters were set to zero as minus one.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "coverage/gcov_notes.h"

namespace gordian {

class GcovFlow {
 public:
  /// nullopt: the map is none of a function (ways without a counter go in circles).
  static std::optional<GcovFlow> of(const GcovFunction& function);

  /// Whether each block ran. REQUIRES: as many counters as the function has.
  std::vector<bool> blocks_run(std::span<const std::uint64_t> counters) const;

 private:
  struct Way {
    std::uint32_t from = 0, to = 0;
  };
  struct Step {
    std::uint32_t way = 0, block = 0;  ///< the way follows from all others at this block
  };

  std::uint32_t blocks_ = 0;
  std::vector<Way> ways_;               ///< the last one leads from the end back to the beginning
  std::vector<std::uint32_t> counted_;  ///< ways with a counter, in the order of the counters
  std::vector<Step> steps_;
};

}  // namespace gordian
