// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The dependent tests of a search, one block each: what it does and after which tests, the two
// results that prove it, what else is known, the witness, and how to see it again. Tests that
// depend on the same ones stand together. A block can be pasted into a ticket as it is.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "model/dependence.h"
#include "model/explanation.h"
#include "report/detect_flow.h"

namespace gordian {

/// Columns before the lines of a block, but for its first.
inline constexpr int kBlockIndent = 6;

/// Begins a line of a block: "      alone       ".
FlowLine labelled_line(std::string_view label);

/// Each block ends with an empty line; "" without dependent tests. What is explained has a line
/// about its carrier.
std::string dependence_blocks(const DetectFacts& facts, const Style& style,
                              std::span<const Explanation> explanations = {});

}  // namespace gordian
