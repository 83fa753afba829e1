// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What separates one test of an order from the next: one row of a table each. The option --isolate
// with its help and completion, `gordian help isolation` and the words of the database and of JSON
// are made of it. What an isolation does is in runtime/native/isolation.h.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gordian {

enum class Isolation : std::uint8_t {
  none,       ///< the order in one process: dependences can show
  snapshot,   ///< the process goes back to its state before the first test; where it cannot, a fork
  fork,       ///< each test forked from the state before the first test
  process,    ///< a fresh process per test: the reference
  automatic,  ///< a request only: the cheapest that is sound for this binary
};

struct IsolationTraits {
  Isolation isolation;
  std::string_view word;   ///< on the command line, in the database, in JSON: it never changes
  std::string_view brief;  ///< in the help of the option
  std::string_view help;   ///< in `gordian help isolation`
};

/// From the least to the most; what Gordian chooses itself comes last.
inline constexpr std::array<IsolationTraits, 5> kIsolations = {{
    {Isolation::none, "none", "one process, as the framework does",
     "one process for all, as the framework does: dependences can show"},
    {Isolation::snapshot, "snapshot", "the process goes back to its state before the first test",
     "one process that goes back to its state before the first test, after each test; what cannot "
     "be undone costs a fork"},
    {Isolation::fork, "fork", "each test forked from there",
     "each test in a fork, taken before the first test"},
    {Isolation::process, "process", "a fresh process per test",
     "each test in a fresh process: the slow reference for the others"},
    {Isolation::automatic, "auto", "snapshot where it is sound, else fork, else process",
     "the first of snapshot, fork and process that is sound for this binary and this machine (the "
     "default); a step down is announced with its reason"},
}};

std::string_view to_string(Isolation isolation);
std::optional<Isolation> parse_isolation(std::string_view word);
/// What can be asked for, `auto` first. What keeps orders from each other is never `none`.
std::vector<std::string> isolation_words(bool with_none);

}  // namespace gordian
