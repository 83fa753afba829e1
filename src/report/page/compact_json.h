// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Short forms of what is long in a report of many tests, for the page: 20,000 tests are some 1 MB
// in place of 70. Nothing is left out; web/src/compact.ts makes the whole document of it again.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "model/report_facts.h"

namespace gordian {

/// Which numbers below `count`, eight to a byte, the first one lowest.
std::string base64(const IdRuns& runs, std::size_t count);

/// {"names", "files": distinct ones, "file": [index or -1, how many tests, ...], "line": 0 is none,
/// "disabled": places}
nlohmann::json tests_by_column(const Suite& suite);

/// Null, or {"covered": one for each first test with any: [its place, first place, how many, ...]
/// or [its place, bits in base64], whichever is shorter; "changed": pairs of places}
nlohmann::json pairs_by_row(const std::optional<ReportedPairs>& pairs, std::size_t tests);

/// Long lists of names of tests, wherever they stand in `value`, become {"tests_at": [first place,
/// how many, ...]}; a negative number of tests counts downwards.
void shorten_lists(nlohmann::json& value, const Suite& suite);

}  // namespace gordian
