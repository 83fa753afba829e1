// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Explanations for machines: public and versioned, by the rules of report/json.h.
#pragma once

#include <nlohmann/json.hpp>

#include <optional>
#include <span>

#include "report/explain_facts.h"

namespace gordian {

/// {"kind": "explain", "version": 1, "explanations": [...]}: of all binaries of one command.
nlohmann::json explain_to_json(std::span<const ExplainFacts> binaries);

/// [{"kind": "variable", "name": "g_balance", ...}...]; also in the dependences of a search.
nlohmann::json carriers_to_json(const std::vector<Carrier>& carriers);

/// A line that wrote or read the state; null: not known.
nlohmann::json site_to_json(const std::optional<Site>& site);

}  // namespace gordian
