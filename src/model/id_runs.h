// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A set of test numbers as runs of neighbours. Searches go through pairs in rows, so what they have
// covered of a row is some runs, most often one or none; 20,000 x 20,000 flags would be 50 MB.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gordian {

struct IdRun {
  std::uint32_t first = 0, count = 0;  ///< `count` is never 0

  friend bool operator==(const IdRun&, const IdRun&) = default;
};

/// In order, with a gap between each two.
using IdRuns = std::vector<IdRun>;

/// The places of the flags that are set.
IdRuns runs_of(const std::vector<bool>& flags);

/// REQUIRES: all numbers are below flags.size().
void set_flags(const IdRuns& runs, std::vector<bool>& flags);

}  // namespace gordian
