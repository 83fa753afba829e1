// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A piece of state that the tests before have changed: perhaps the one that carries the dependence.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "model/explanation.h"
#include "runtime/native/held_process.h"
#include "state/external_state.h"
#include "state/state_change.h"

namespace gordian {

struct Candidate {
  /// The likelier first: what the program owns, what it does to the outside, what belongs to
  /// others.
  enum class Tier : std::uint8_t { program, external, first_use, framework, library };

  Carrier carrier;
  Tier tier = Tier::program;
  bool by_last_test = true;  ///< changed by the test right before, not by an earlier one
  std::function<bool(HeldProcess&)> reset;
  std::vector<ByteRange> words;  ///< memory to watch for accesses; empty: look for `events`
  ByteRange root;                ///< memory: the variable, should nobody read the words themselves
  StateEvents events;
};

/// True if `a` is to be tried before `b`.
inline bool likelier(const Candidate& a, const Candidate& b) {
  if (a.tier != b.tier) return a.tier < b.tier;
  return a.by_last_test && !b.by_last_test;
}

}  // namespace gordian
