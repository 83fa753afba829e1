// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Why a test depends on others: the state that carries the dependence, where it was written and
// read, and whether that was proved by resetting it.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/ids.h"
#include "model/outcome.h"
#include "state/kinds/state_key.h"

namespace gordian {

/// A line of the program that wrote or read the state.
struct Site {
  std::string test;
  std::vector<StackFrame> stack;  ///< innermost first
  std::size_t shown = 0;          ///< the first frame of the program itself, not of a library
  std::uint64_t times = 1;        ///< accesses seen, this one included
  bool times_capped = false;      ///< there may have been later ones
};

struct Carrier {
  StateKey key;
  std::string type;  ///< static type of a variable; "anonymous, 4 KiB" of a mapping; else empty
  std::optional<std::string> old_value, new_value;  ///< nullopt: there was (is) none
  std::string file;                                 ///< of the declaration
  int line = 0;
  std::optional<Site> write, read;
  bool proved = false;  ///< resetting it (with the others of its set) changed the outcome back
};

struct Explanation {
  DependenceId dependence;
  std::vector<Carrier> carriers;  ///< a minimal proved set, or suspects, the likeliest first
  /// Tests that ran before the witness in every run, so that a variable was there already which the
  /// witness would have made; mostly none.
  std::vector<std::string> behind;
  bool proved = false;
  int proofs = 0;           ///< runs with the state reset that gave the other outcome
  std::size_t changes = 0;  ///< pieces of program state that the tests before left changed
  std::string why_not;      ///< not proved: the reason
  std::string no_sites;     ///< why lines that were asked for could not be looked for
  double seconds = 0;
  /// It is shown again from a database; nullopt: it was made now.
  std::optional<std::chrono::seconds> age;
};

}  // namespace gordian
