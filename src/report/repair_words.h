// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// How a repair reads. Everything returned is safe to print, on one line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/repair.h"
#include "report/terminal_style.h"

namespace gordian {

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

}  // namespace gordian
