// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A data flow and its refinement as the database keeps them, with tests by number, and back. The
// *_from functions throw json::exception for what they cannot read.
#pragma once

#include <nlohmann/json.hpp>

#include "store/flow_store.h"

namespace gordian {

nlohmann::json flow_json(const DataFlow& flow);
DataFlow flow_from(const nlohmann::json& value, std::size_t tests);
nlohmann::json refinement_json(const RefinementRecord& record);
RefinementRecord refinement_from(const nlohmann::json& value, std::size_t tests);

}  // namespace gordian
