// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A search for dependent tests as the machine sees it: public and versioned, by the rules of
// report/json.h. Every key is always there; what does not apply is null. Tests go by their full
// names. `seconds` are numbers; the seed is a string, because it uses all 64 bits.
#pragma once

#include <nlohmann/json.hpp>

#include <span>

#include "model/dependence.h"

namespace gordian {

/// {"kind": "detect", "version": 1, ...}. Dependences that are explained have their carriers.
nlohmann::json detect_to_json(const DetectFacts& facts);

/// {"kind": "detects", "version": 1, "detects": [...]}: several binaries of one command.
nlohmann::json detects_to_json(std::span<const DetectFacts> detects);

/// The part that an estimate of a search has too.
nlohmann::json searched_suite_to_json(const BinaryIdentity& binary, const Target& target,
                                      const Suite& suite);

}  // namespace gordian
