// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Facts that the database keeps as JSON, and back. The *_from functions throw json::exception for
// what they cannot read; the stores turn that into an error that names the row.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "model/dependence_codec.h"
#include "model/target.h"

namespace gordian {

/// One line; bytes that are no UTF-8 are replaced.
std::string dump_compact(const nlohmann::json& value);

nlohmann::json target_json(const Target& target);
Target target_from(const nlohmann::json& value);

/// Milliseconds since 1970.
std::int64_t unix_ms();

}  // namespace gordian
