// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What a search explored and what follows from it: the phases, one honest sentence on how complete
// it was, and the verdict. Pure functions of the facts.
#pragma once

#include <string>

#include "model/dependence.h"
#include "report/terminal_style.h"

namespace gordian {

/// "Complete for two tests: all 14,520 ordered pairs were run." or what is missing, and why.
std::string completeness_sentence(const DetectFacts& facts);

/// "Continues the search of 2 minutes ago: 8,000 of 14,520 pairs were covered." Empty when nothing
/// was taken over.
std::string resumed_sentence(const DetectFacts& facts);

/// "2 dependent tests (1 victim, 1 brittle) among 120." Says so when there may be more.
std::string verdict_sentence(const DetectFacts& facts);

/// A heading, a line for each phase, and completeness_sentence().
std::string explored_text(const DetectFacts& facts, const Style& style);

}  // namespace gordian
