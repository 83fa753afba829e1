// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What names of functions promise: to bring something back to its begin, to read or to set a value.
// gordian-facts asks this too: it needs nothing but the standard library.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gordian {

/// "reset", "Clear", "restore_defaults", "ResetForTest": how much is promised; 0 is nothing. Least
/// by what ends something ("shutdown"): it may not be usable afterwards.
int reset_score(std::string_view name);

/// The least of these scores.
constexpr int kEndsScore = 1;

/// Names that the reading half of a setter may have, the likeliest first: "set_level" -> "level",
/// "get_level", "is_level"; "SetLevel" -> "Level", "GetLevel", ...; any other name -> itself, for
/// `level()` beside `level(int)`.
std::vector<std::string> getter_names(std::string_view setter);

/// What a setter sets: "set_level" -> "level", "SetLevel" -> "Level"; any other name -> itself.
std::string property_name(std::string_view setter);

/// How well the name of a setter fits a member or variable: 2 the same ("set_level", "level_"), 1
/// one is part of the other ("global_log_level_"), 0 neither.
int property_fit(std::string_view setter, std::string_view variable);

}  // namespace gordian
