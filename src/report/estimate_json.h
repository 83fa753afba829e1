// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What searches would cost, as JSON: public and versioned, documented in docs/json.md.
#pragma once

#include <nlohmann/json.hpp>
#include <span>

#include "model/estimate.h"

namespace gordian {

/// {"kind": "estimate", "version": 1, ...}
nlohmann::json estimate_to_json(const EstimateFacts& facts);

/// {"kind": "estimates", "version": 1, "estimates": [...]}: several binaries of one command.
nlohmann::json estimates_to_json(std::span<const EstimateFacts> estimates);

}  // namespace gordian
