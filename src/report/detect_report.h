// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The last words of a search, as text: each dependent test with its proof, together with the others
// that depend on the same tests; what was seen and not counted; what was explored; the verdict.
// A pure function of the facts: the same now and when a stored search is shown later.
#pragma once

#include <nlohmann/json.hpp>

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "model/dependence.h"
#include "model/estimate.h"
#include "report/terminal_style.h"

namespace gordian {

// How a dependence reads: shared by the live view of a search and by its last words. What is
// returned or added is safe to print unless it says otherwise.

/// "victim", "brittle", "self-dependent".
std::string_view role_word(Role role);

/// "gordian replay D3", with --db where it is stored elsewhere; empty when it is stored nowhere.
std::string replay_command(const Dependence& dependence, const DetectFacts& facts);

/// "gordian explain D3", likewise.
std::string explain_command(const Dependence& dependence, const DetectFacts& facts);

/// "gordian fix D3", likewise.
std::string fix_command(const Dependence& dependence, const DetectFacts& facts);

/// How to run a witness that is stored nowhere: "gordian run --isolate none --order FILE BINARY".
std::string order_file_command(const DetectFacts& facts);

/// What the dependent test does when it does not do as it should: "fails", "crashes with SIGSEGV".
std::string misbehaviour(const Dependence& dependence);

/// Begins a line of a block: its label, dim, in `width` columns behind `indent` blanks. What does
/// not fit goes on behind the label.
FlowLine labelled_line(std::string_view label, int indent, int width);

/// Adds "fails after  Polluter", "crashes with SIGSEGV after  A and B together", "fails unless  X
/// runs before it", "fails when run twice". `gap` stands before it.
void add_claim(FlowLine& line, const Dependence& dependence, const Suite& suite,
               std::string_view gap);

/// "D3  Suite.Name  fails after  Polluter": what the block of a dependence begins with.
FlowLine dependence_headline(const Dependence& dependence, const Suite& suite);

/// Adds "pass" or "FAIL  cart_test.cc:41  Value of: x | Actual: 3". On a terminal a long message is
/// cut to about two lines.
void add_result(FlowLine& line, const Outcome& outcome, const Style& style);

inline constexpr std::size_t kMostNames = 5;
/// Adds names with commas between and `last` before the last one: "A, B and C". More than
/// kMostNames are cut: "A, B, C, D, E and 12 more".
void add_names(FlowLine& line, const std::vector<TestId>& tests, const Suite& suite,
               std::string_view last = ",");

/// "changed its result in 3 of 10 runs of the same order (95 %: 11 % to 60 %); not counted as
/// dependent"
std::string nondeterminism_text(const NondeterministicTest& test);

/// Path of the test binary. Not sanitised.
std::string binary_text(const DetectFacts& facts);

/// "60 s", "1.5 s", "10m 00s".
std::string budget_text(std::chrono::milliseconds budget);

/// Several lines, each ending with a newline; the verdict is the last. With a style.width no line
/// is wider than style.width - 1, but for commands, which people copy; without one nothing is
/// broken or cut. What is explained has a line about its carrier.
std::string detect_summary(const DetectFacts& facts, const Style& style);

// What a search explored and what follows from it: the phases, one honest sentence on how complete
// it was, and the verdict. Pure functions of the facts.

/// "Complete for two tests: all 14,520 ordered pairs were run." or what is missing, and why.
std::string completeness_sentence(const DetectFacts& facts);

/// "Continues the search of 2 minutes ago: 8,000 of 14,520 pairs were covered." Empty when nothing
/// was taken over.
std::string resumed_sentence(const DetectFacts& facts);

/// "2 dependent tests (1 victim, 1 brittle) among 120." Says so when there may be more.
std::string verdict_sentence(const DetectFacts& facts);

/// A heading, a line for each phase, and completeness_sentence().
std::string explored_text(const DetectFacts& facts, const Style& style);

// What searches would cost, as a table for people and as JSON: public and versioned, documented in
// docs/json.md. Pure functions of the facts.

/// Several lines, each ending with a newline: one for each search, and what the numbers rest on.
std::string estimate_text(const EstimateFacts& facts, const Style& style);

/// As human_duration, but days and years above two days: "3.5 days", "12 years".
std::string long_duration(std::chrono::nanoseconds duration);

/// {"kind": "estimate", "version": 1, ...}
nlohmann::json estimate_to_json(const EstimateFacts& facts);

// A search for dependent tests as the machine sees it: public and versioned, by the rules of
// report/json.h. Every key is always there; what does not apply is null. Tests go by their full
// names. `seconds` are numbers; the seed is a string, because it uses all 64 bits.

/// {"kind": "detect", "version": 1, ...}. Dependences that are explained have their carriers.
nlohmann::json detect_to_json(const DetectFacts& facts);

/// The part that an estimate of a search has too.
nlohmann::json searched_suite_to_json(const BinaryIdentity& binary, const Target& target,
                                      const Suite& suite);

}  // namespace gordian
