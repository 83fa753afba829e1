// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Facts that the database keeps as JSON, and back. The *_from functions throw json::exception for
// what they cannot read; the stores turn that into an error that names the row.
#pragma once

#include <chrono>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "model/dependence_codec.h"
#include "model/target.h"

namespace gordian {

struct RefinementRecord;  // flow_store.h

/// One line; bytes that are no UTF-8 are replaced.
std::string dump_compact(const nlohmann::json& value);

nlohmann::json target_json(const Target& target);
Target target_from(const nlohmann::json& value);

nlohmann::json flow_json(const DataFlow& flow);
DataFlow flow_from(const nlohmann::json& value, std::size_t tests);
nlohmann::json refinement_json(const RefinementRecord& record);
RefinementRecord refinement_from(const nlohmann::json& value, std::size_t tests);

/// A whole search with tests by number, so that a report can be made at any time. The suite, the
/// build and explanations are stored elsewhere and are not in it.
nlohmann::json search_facts_json(const DetectFacts& facts);
/// Fills in everything but `binary`, `suite` and `db`. `facts.suite` must be there already.
void search_facts_from(const nlohmann::json& value, DetectFacts& facts);

/// Milliseconds since 1970.
std::int64_t unix_ms();
/// How long ago that was, in whole seconds.
std::chrono::seconds age_of(std::int64_t then_unix_ms);

}  // namespace gordian
