// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// How a carrier, its values and its proof read. Everything returned is safe to print, on one line.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "model/dependence.h"
#include "model/explanation.h"
#include "report/terminal_style.h"

namespace gordian {

/// "(int, account.cc:12)", "(environment variable)"; "" when there is nothing to add to the name.
std::string carrier_details(const Carrier& carrier);

/// "0 -> 50", "not set -> \"de\"". On a terminal each value is cut so that both fit beside `indent`
/// columns. "" when neither is known.
std::string values_text(const Carrier& carrier, int indent, const Style& style);

/// The proof as a sentence: "with g_balance reset to 0 after A.B the test passes (3 runs, always
/// the same)". REQUIRES: explanation.proved.
std::string proof_text(const Dependence& dependence, const Explanation& explanation,
                       const Suite& suite);

/// Why nothing was proved: "suspected, not proved: ...", "not explained: ...". REQUIRES:
/// !explanation.proved.
std::string no_proof_text(const Explanation& explanation);

/// "12 victims, 1 variable: g_balance": what dependences with the same carriers have in common.
std::string group_text(const std::vector<Role>& roles, const std::vector<Carrier>& carriers);

/// "3 dependences: 1 explained with proof, 1 suspected, 1 not explained."
std::string explained_sentence(std::span<const Explanation* const> explanations);

}  // namespace gordian
