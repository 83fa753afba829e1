// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Why a test depends on others: the state that carries the dependence, where it was written and
// read, and whether that was proved by resetting it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/outcome.h"

namespace gordian {

enum class CarrierKind : std::uint8_t {
  variable,  ///< global, class or function static
  thread_local_variable,
  heap,  ///< an object reachable from one of these
  environment,
  cwd,
  umask,
  file,
  locale,
  signal,  ///< what a signal does
  signal_mask,
  descriptor,
  limit,
  timer,
  fp_mode,
  libc,  ///< state of the C library behind its functions: rand, exit handlers, streams
  flag,  ///< an option of the framework
  thread,
  child,
  process,  ///< other attributes of the process
  mapping,
  socket,  ///< whatever keeps state at the other end of a connection
};

/// "variable", "env", "signal_mask", ...: the words of --json.
std::string_view to_string(CarrierKind kind);

/// A line of the program that wrote or read the state.
struct Site {
  std::string test;
  std::vector<StackFrame> stack;  ///< innermost first
  std::size_t shown = 0;          ///< the first frame of the program itself, not of a library
  std::uint64_t times = 1;        ///< accesses seen, this one included
  bool times_capped = false;      ///< there may have been later ones
};

struct Carrier {
  CarrierKind kind = CarrierKind::variable;
  std::string name;  ///< "Settings::instance()::settings.verbosity_", "LANG", "/tmp/x.lock"
  std::string type;  ///< static type of a variable; "anonymous, 4 KiB" of a mapping; else empty
  std::optional<std::string> old_value, new_value;  ///< nullopt: there was (is) none
  std::string file;                                 ///< of the declaration
  int line = 0;
  std::optional<Site> write, read;
  bool proved = false;  ///< resetting it (with the others of its set) changed the outcome back
};

struct Explanation {
  std::string dependence;         ///< "D1"
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
};

}  // namespace gordian
