// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Repairs as text, one block for each dependence: the verdict with what the patch does, its
// evidence, what was tried before, and the diff. Pure functions of the facts.
#pragma once

#include <string>

#include "report/fix_report.h"
#include "report/terminal_style.h"

namespace gordian {

/// The blocks, each ending with an empty line. `verbose`: every check and every
/// strategy that has nothing to offer, too.
std::string repair_blocks(const FixReport& report, bool verbose, const Style& style);

/// What to do with the patch: the commit message and the command that applies it, or
/// what was applied. Empty when there is no patch.
std::string repair_next_steps(const FixReport& report, const Style& style);

/// The last line: how many were repaired.
std::string repair_verdict(const FixReport& report, const Style& style);

}  // namespace gordian
