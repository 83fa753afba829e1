// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What searches would cost, as a table for people and as JSON: public and versioned, documented in
// docs/json.md. Pure functions of the facts.
#pragma once

#include <nlohmann/json.hpp>

#include <chrono>
#include <string>

#include "model/estimate.h"
#include "report/terminal_style.h"

namespace gordian {

/// Several lines, each ending with a newline: one for each search, and what the numbers rest on.
std::string estimate_text(const EstimateFacts& facts, const Style& style);

/// As human_duration, but days and years above two days: "3.5 days", "12 years".
std::string long_duration(std::chrono::nanoseconds duration);

/// {"kind": "estimate", "version": 1, ...}
nlohmann::json estimate_to_json(const EstimateFacts& facts);

}  // namespace gordian
