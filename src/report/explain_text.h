// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Explanations as text, one block for each dependence: the two results, the carrier with its
// values, where it was written and read, the proof, and how to see it again. Dependences with the
// same carriers stand together. A block can be pasted into a ticket as it is. Pure functions of
// the facts and of the sources that `source` knows.
#pragma once

#include <span>
#include <string>

#include "report/explain_facts.h"
#include "report/source_files.h"
#include "report/terminal_style.h"

namespace gordian {

/// The blocks of one binary, each ending with an empty line.
std::string explanation_blocks(const ExplainFacts& facts, const SourceReader& source,
                               const Style& style);

/// The last lines: what to do next, and how many were explained.
std::string explain_verdict(std::span<const ExplainFacts> binaries, const Style& style);

}  // namespace gordian
