// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Which words are watched in which pass, and during which tests. The processor watches four at a
// time, and they can be others for each test: words whose states live at different times share a
// pass. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "runtime/native/tracer.h"
#include "state/state_change.h"

namespace gordian {

/// A word that stands for some states while the tests [from, to) run.
struct WordWatch {
  Watch watch;
  std::vector<std::size_t> states;
  std::size_t from = 0, to = 0;
  bool settles =
      false;  ///< a write replaces all of it: what is read afterwards is the writer's own
  bool outside_libc = false;  ///< accesses by the C library itself do not count
};

struct WatchPlan {
  std::vector<std::vector<WordWatch>> passes;
  std::vector<std::size_t> left_out;  ///< states of which a word did not fit; ascending, each once
};

/// A range in the pieces that the processor can watch.
std::vector<Watch> watches_for(ByteRange range);

/// The first words matter most. Words that are the same, for tests that overlap, become one.
/// `positions`: number of tests.
WatchPlan plan_watches(std::span<const WordWatch> words, std::size_t positions,
                       std::size_t most_passes);

}  // namespace gordian
