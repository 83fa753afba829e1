// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Parts that the texts of `prioritize`, `impact` and `reduce` share. Each ends with a newline
// unless it is empty.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "model/rank_facts.h"
#include "report/terminal_style.h"

namespace gordian {

/// "Coverage: gcc --coverage, each test alone, 1,204 statements, 210 functions; collected now."
std::string coverage_sentence(const CoverageSource& about, const Style& style);
std::string notice_lines(const std::vector<Notice>& notices, const Style& style);

/// "All 120 results are as expected.", or what is not, with its dependence.
std::string checked_lines(const RankedOrder& order, const Suite& suite, const Style& style);
/// What keeping to dependences did to the order: processes, extra runs, who could not be served.
std::string aware_lines(const RankedOrder& order, const Suite& suite, const Style& style);
/// Where the order is, and how to run it.
std::string files_lines(const std::vector<std::string>& files, const RankedBinary& of,
                        const Style& style);

/// "D3", or "no dependence was found".
std::string dependence_words(DependenceId id);

}  // namespace gordian
