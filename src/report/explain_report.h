// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Explanations as text, one block for each dependence: the two results, the carrier with its
// values, where it was written and read, the proof, and how to see it again. Dependences with the
// same carriers stand together. A block can be pasted into a ticket as it is. Pure functions of
// the facts and of the sources that `source` knows.
#pragma once

#include <nlohmann/json.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/dependence.h"
#include "model/explanation.h"
#include "model/report_facts.h"
#include "report/source_files.h"
#include "report/terminal_style.h"

namespace gordian {

/// The blocks of one binary, each ending with an empty line.
std::string explanation_blocks(const ExplainFacts& facts, const SourceReader& source,
                               const Style& style);

/// The last lines: what to do next, and how many were explained.
std::string explain_verdict(std::span<const ExplainFacts> binaries, const Style& style);

// Explanations for machines: public and versioned, by the rules of report/json.h.

/// {"kind": "explain", "version": 1, "explanations": [...]}: of all binaries of one command.
nlohmann::json explain_to_json(std::span<const ExplainFacts> binaries);

// How a carrier, its values, its proof and its stacks read. Everything returned is safe to print,
// on one line.

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

/// A line of a stack as the author of the program sees it: his own frames one by one, those of
/// libraries folded into a count, and nothing of what the framework does to call a test.
struct StackLine {
  const StackFrame* frame = nullptr;  ///< the program's; nullptr: folded
  std::size_t folded = 0;
  std::string library;  ///< "libstdc++", "GoogleTest"; empty: the rest of a long stack
};

/// The callers of the frame that `site` shows, innermost first. Points into `site`.
std::vector<StackLine> callers(const Site& site);

/// The library frames between the shown frame and the access itself; folded == 0 without any.
StackLine inner_frames(const Site& site);

/// "account.cc:12 in deposit(int)"; what is unknown is left out. Safe to print.
std::string frame_text(const StackFrame& frame);

/// A function of a library as people call it, without its arguments: "std::vector<...>::push_back".
std::string short_function(const StackFrame& frame);

/// "/src/cart.cc:12" of "/src/build/../cart.cc". Safe to print.
std::string place_text(const std::string& file, int line);

/// "... 3 frames of libstdc++".
std::string folded_text(const StackLine& line);

}  // namespace gordian
