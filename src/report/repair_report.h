// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Repairs for people, one block for each dependence: the verdict with what the patch does, its
// evidence, what was tried before, and the diff. And for machines: public and versioned, by the
// rules of report/json.h. Pure functions of the facts.
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>
#include <vector>

#include "model/repair.h"
#include "model/report_facts.h"
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

/// A word and its colour: VERIFIED, PARTLY, REJECTED, NOT BUILT.
struct VerdictWord {
  std::string_view word;
  Ink ink = Ink::plain;
};
VerdictWord verdict_word(RepairVerdict verdict);

/// "restore; 2 lines more, 1 new file": how much a maintainer has to read.
std::string patch_size_text(const Patch& patch);

/// "alone (3 runs), witness (3 runs), random orders (20 runs)": names of checks that passed, or of
/// those that did not.
std::string checks_text(const std::vector<RepairCheck>& checks, bool passed);

/// "3 dependences: 1 repaired and verified, 1 partly repaired, 1 not repaired."
std::string repaired_sentence(const FixFacts& fix);

/// "20 random orders made 2 tests differ before and none after."; "" when none was run.
std::string random_orders_sentence(const FixFacts& fix);

/// Content of new files beyond this is worth a look, but not in the middle of a report.
inline constexpr std::size_t kLongNewFile = 20;

enum class NewFiles { whole, folded };  ///< folded: of long ones it is said how long they are

/// A unified diff for a terminal. Flush left and neither broken nor cut, so that it can be copied.
/// Added lines green, removed ones red, files bold, places cyan; control characters made visible,
/// but for the carriage returns at the ends of lines, which are left out.
std::string diff_text(std::string_view diff, const Style& style,
                      NewFiles new_files = NewFiles::whole);

/// {"kind": "fix", "version": 1, ...}
nlohmann::json fix_to_json(const FixReport& report);

}  // namespace gordian
