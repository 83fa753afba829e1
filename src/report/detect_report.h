// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The last words of a search, as text: each dependent test with its proof, together with the others
// that depend on the same tests; what was seen and not counted; what was explored; the verdict.
// A pure function of the facts: the same now and when a stored search is shown later.
#pragma once

#include <nlohmann/json.hpp>

#include <chrono>
#include <span>
#include <string>

#include "model/dependence.h"
#include "model/estimate.h"
#include "model/explanation.h"
#include "report/terminal_style.h"

namespace gordian {

/// Several lines, each ending with a newline; the verdict is the last. With a style.width no line
/// is wider than style.width - 1, but for commands, which people copy; without one nothing is
/// broken or cut.
/// `explanations`: of those dependences that were explained.
std::string detect_summary(const DetectFacts& facts, const Style& style,
                           std::span<const Explanation> explanations = {});

// What a search explored and what follows from it: the phases, one honest sentence on how complete
// it was, and the verdict. Pure functions of the facts.

/// "Complete for two tests: all 14,520 ordered pairs were run." or what is missing, and why.
std::string completeness_sentence(const DetectFacts& facts);

/// "Continues the search of 2 minutes ago: 8,000 of 14,520 pairs were covered." Empty when nothing
/// was taken over.
std::string resumed_sentence(const DetectFacts& facts);

/// "2 dependent tests (1 victim, 1 brittle) among 120." Says so when there may be more.
std::string verdict_sentence(const DetectFacts& facts);

/// A heading, a line for each phase, and completeness_sentence().
std::string explored_text(const DetectFacts& facts, const Style& style);

// What searches would cost, as a table for people and as JSON: public and versioned, documented in
// docs/json.md. Pure functions of the facts.

/// Several lines, each ending with a newline: one for each search, and what the numbers rest on.
std::string estimate_text(const EstimateFacts& facts, const Style& style);

/// As human_duration, but days and years above two days: "3.5 days", "12 years".
std::string long_duration(std::chrono::nanoseconds duration);

/// {"kind": "estimate", "version": 1, ...}
nlohmann::json estimate_to_json(const EstimateFacts& facts);

// A search for dependent tests as the machine sees it: public and versioned, by the rules of
// report/json.h. Every key is always there; what does not apply is null. Tests go by their full
// names. `seconds` are numbers; the seed is a string, because it uses all 64 bits.

/// {"kind": "detect", "version": 1, ...}. Dependences that are explained have their carriers.
nlohmann::json detect_to_json(const DetectFacts& facts,
                              std::span<const Explanation> explanations = {});

/// The part that an estimate of a search has too.
nlohmann::json searched_suite_to_json(const BinaryIdentity& binary, const Target& target,
                                      const Suite& suite);

}  // namespace gordian
