// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A whole search as the database keeps it, with tests by number, and back, so that a report can be
// made at any time. The suite, the build and explanations are stored elsewhere and are not in it.
// search_facts_from() throws json::exception for what it cannot read.
#pragma once

#include <nlohmann/json.hpp>

#include "model/dependence.h"

namespace gordian {

nlohmann::json search_facts_json(const DetectFacts& facts);

/// Fills in everything but `binary`, `suite` and `db`. `facts.suite` must be there already.
void search_facts_from(const nlohmann::json& value, DetectFacts& facts);

}  // namespace gordian
