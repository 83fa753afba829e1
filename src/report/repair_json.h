// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Repairs for machines: public and versioned, by the rules of report/run_json.h.
#pragma once

#include <nlohmann/json.hpp>
#include <span>

#include "report/fix_report.h"

namespace gordian {

/// {"kind": "fix", "version": 1, ...}
nlohmann::json fix_to_json(const FixReport& report);

/// {"kind": "fixes", "version": 1, "fixes": [...]}
nlohmann::json fixes_to_json(std::span<const FixReport> reports);

/// [{"name": "alone", "passed": true, ...}...]
nlohmann::json checks_to_json(const std::vector<RepairCheck>& checks);

/// [{"strategy": "fresh", "why": "..."}...]
nlohmann::json inapplicable_to_json(const std::vector<Inapplicable>& strategies);

}  // namespace gordian
