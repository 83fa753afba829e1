// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// `gordian replay D3 --debugger gdb --at read`: the witness of a dependence in a debugger, stopped
// at the moment that matters.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/dependence.h"
#include "model/explanation.h"
#include "runtime/engine_options.h"
#include "store/dependence_store.h"

namespace gordian {

/// What gdb is told to do once it is attached: stop at one moment of an order. Breakpoints hold
/// only while the right test of the order runs, which the program's own memory tells. Pure
/// functions.
enum class StopAt : std::uint8_t {
  write,    ///< the last write of the carrier before the dependent test
  read,     ///< its first read by the dependent test
  failure,  ///< the failure itself
};

struct GdbStop {
  StopAt at = StopAt::failure;
  std::string file;                         ///< write, read
  int line = 0;                             ///< write, read
  OutcomeKind outcome = OutcomeKind::fail;  ///< failure: what will happen
  std::optional<std::size_t> position;      ///< of the test it happens in; nullopt: any
  std::string what;                         ///< said before the program goes on
  std::uint64_t skip = 0;                   ///< hits to pass over
};

/// Where a site is in a debugger's eyes: its frame of the program, and which position of the order
/// it belongs to. nullopt: it has no line.
std::optional<GdbStop> stop_at_site(const Carrier& carrier, StopAt at,
                                    const std::vector<std::string>& order);

/// The breakpoint by the whole path of its file; "" if it has none. It may fail, because gdb knows
/// a file only by the very path that the compiler wrote: then the script, which comes after it,
/// takes the last part of the path. `position_address`: see DebugSession.
std::string gdb_exact_break(const GdbStop& stop, std::uint64_t position_address);

std::string gdb_script(const GdbStop& stop, std::uint64_t position_address);

/// A script that only counts how often the breakpoint of `stop` would be hit in the whole order.
std::string gdb_counting_script(const GdbStop& stop, std::uint64_t position_address);
/// The count in what gdb printed; 0 if it never was.
std::uint64_t parse_gdb_hits(std::string_view output);

struct DebugOptions {
  std::string debugger;           ///< "gdb"; empty: none
  std::string at;                 ///< "write", "read", "failure"; empty: the closest known
  std::vector<std::string> args;  ///< more arguments for the debugger
};

/// Blocks until the debugger ends, and returns its exit code. `db`: where explanations are.
Result<int> debug_dependence(const NamedDependence& stored, const DebugOptions& options,
                             const EngineOptions& engine, const std::string& db);

}  // namespace gordian
