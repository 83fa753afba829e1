// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The names of what a database holds: "R7" a run, "D3" a dependence. Here is where they are written
// and read; everybody else has numbers that know what they count.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/strong_id.h"

namespace gordian {

using RunId = StrongId<struct RunIdTag, std::int64_t>;
using DependenceId = StrongId<struct DependenceIdTag, int>;

/// No dependence: databases count from 1.
inline constexpr DependenceId kNoDependence{};
constexpr bool is_stored(DependenceId id) {
  return id.value() > 0;
}

/// "R7", "D3".
std::string to_string(RunId id);
std::string to_string(DependenceId id);

/// "R7", "r7" or "7"; "D3", "d3" or "3". nullopt for anything else.
std::optional<RunId> parse_run_id(std::string_view word);
std::optional<DependenceId> parse_dependence_id(std::string_view word);

}  // namespace gordian
