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

}  // namespace gordian
