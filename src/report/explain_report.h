// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Explanations as text, one block for each dependence: the two results, the carrier with its
// values, where it was written and read, the proof, and how to see it again. Dependences with the
// same carriers stand together. A block can be pasted into a ticket as it is. Pure functions of
// the facts and of the sources that `source` knows.
#pragma once

#include <nlohmann/json.hpp>

#include <optional>
#include <span>
#include <string>

#include "model/report_facts.h"
#include "report/source_files.h"
#include "report/terminal_style.h"

namespace gordian {

/// The blocks of one binary, each ending with an empty line.
std::string explanation_blocks(const ExplainFacts& facts, const SourceReader& source,
                               const Style& style);

/// The last lines: what to do next, and how many were explained.
std::string explain_verdict(std::span<const ExplainFacts> binaries, const Style& style);

// Explanations for machines: public and versioned, by the rules of report/json.h.

/// {"kind": "explain", "version": 1, "explanations": [...]}: of all binaries of one command.
nlohmann::json explain_to_json(std::span<const ExplainFacts> binaries);

/// [{"kind": "variable", "name": "g_balance", ...}...]; also in the dependences of a search.
nlohmann::json carriers_to_json(const std::vector<Carrier>& carriers);

/// A line that wrote or read the state; null: not known.
nlohmann::json site_to_json(const std::optional<Site>& site);

}  // namespace gordian
