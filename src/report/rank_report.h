// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Prioritised, checked and reduced orders as people read them, as order files, and as the machine
// sees them: public and versioned, by the rules of report/json.h. Pure functions of facts; each
// text ends with a newline.
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

#include "model/rank_facts.h"
#include "report/terminal_style.h"

namespace gordian {

std::string prioritize_text(const PrioritizeFacts& facts, const Style& style);
std::string impact_text(const ImpactFacts& facts, const Style& style);
std::string reduce_text(const ReduceFacts& facts, const Style& style);

/// What `gordian run --order` reads: one text for each process of an order.
std::vector<std::string> order_files(const RankedOrder& order, const Suite& suite);

/// {"kind": "prioritize", "version": 1, ...}
nlohmann::json prioritize_to_json(const PrioritizeFacts& facts);
/// {"kind": "impact", "version": 1, ...}
nlohmann::json impact_to_json(const ImpactFacts& facts);
/// {"kind": "reduce", "version": 1, ...}
nlohmann::json reduce_to_json(const ReduceFacts& facts);

}  // namespace gordian
