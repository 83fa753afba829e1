// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A repair as the database keeps it, and back. The *_from functions throw json::exception for
// what they cannot read.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "model/repair.h"

namespace gordian {

nlohmann::json checks_json(const std::vector<RepairCheck>& checks);
std::vector<RepairCheck> checks_from(const nlohmann::json& value);

nlohmann::json repair_json(const Repair& repair);
Repair repair_from(const nlohmann::json& value);

}  // namespace gordian
