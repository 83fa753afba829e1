// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The last words of a search, as text: each dependent test with its proof, together with the others
// that depend on the same tests; what was seen and not counted; what was explored; the verdict.
// A pure function of the facts: the same now and when a stored search is shown later.
#pragma once

#include <string>

#include "model/dependence.h"
#include "report/terminal_style.h"

namespace gordian {

/// Several lines, each ending with a newline; the verdict is the last. With a style.width no line
/// is wider than style.width - 1, but for commands, which people copy; without one nothing is
/// broken or cut. What is explained has a line about its carrier.
std::string detect_summary(const DetectFacts& facts, const Style& style);

}  // namespace gordian
