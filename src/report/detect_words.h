// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// How a dependence reads: shared by the live view of a search and by its last words. What is
// returned or added is safe to print unless it says otherwise.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "model/dependence.h"
#include "report/terminal_style.h"

namespace gordian {

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

}  // namespace gordian
