// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// An explanation as the database keeps it, and back. explanation_from() throws json::exception for
// what it cannot read.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>

#include "model/explanation.h"

namespace gordian {

nlohmann::json explanation_json(const Explanation& explanation);
Explanation explanation_from(const nlohmann::json& value);

/// null: there is none.
nlohmann::json site_json(const std::optional<Site>& site);
std::optional<Site> site_from(const nlohmann::json& value);

}  // namespace gordian
