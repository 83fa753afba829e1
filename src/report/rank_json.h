// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Prioritised, checked and reduced orders as the machine sees them: public and versioned, by the
// rules of report/run_json.h. Tests go by their full names.
#pragma once

#include <nlohmann/json.hpp>
#include <span>

#include "model/rank_facts.h"

namespace gordian {

/// {"kind": "prioritize", "version": 1, ...}
nlohmann::json prioritize_to_json(const PrioritizeFacts& facts);
/// {"kind": "impact", "version": 1, ...}
nlohmann::json impact_to_json(const ImpactFacts& facts);
/// {"kind": "impacts", "version": 1, "impacts": [...]}: several binaries of one command.
nlohmann::json impacts_to_json(std::span<const ImpactFacts> impacts);
/// {"kind": "reduce", "version": 1, ...}
nlohmann::json reduce_to_json(const ReduceFacts& facts);

}  // namespace gordian
