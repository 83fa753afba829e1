// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The last words of a run, as text: counts, the failures again, what the user must know to trust
// the numbers (notices, isolation, what was not run and why) and how to get the same run again.
// A pure function of the facts: the same now and when a stored run is shown later.
#pragma once

#include <chrono>
#include <span>
#include <string>

#include "model/run.h"
#include "report/terminal_style.h"

namespace gordian {

/// Several lines, each ending with a newline. `slow`: passing tests that took so long are counted;
/// 0 counts none.
std::string run_summary(const RunFacts& facts, const Style& style,
                        std::chrono::nanoseconds slow = {});

/// Of several binaries together: what was counted, and which of them had failures.
std::string runs_total(std::span<const RunFacts> runs, const Style& style,
                       std::chrono::nanoseconds slow = {});

}  // namespace gordian
