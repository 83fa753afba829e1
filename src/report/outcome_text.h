// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// How one run of one test reads: its status word, its line, and the block that shows a failure.
// The live display and the summary share these. Everything returned is safe to print.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "model/outcome_codec.h"
#include "model/run.h"
#include "report/terminal_style.h"

namespace gordian {

/// Columns of the status word, right-aligned: "     PASS", "  TIMEOUT".
inline constexpr int kStatusWidth = 9;

/// A word and its colour: PASS, FAIL, SKIP, CRASH, TIMEOUT, EXIT, LOST, NOT RUN.
struct StatusWord {
  std::string_view word;
  Ink ink = Ink::plain;
};
StatusWord status_word(OutcomeKind kind);

/// "cart_test.cc:42", "cart_test.cc" without a line, "" without a file.
std::string location_text(std::string_view file, int line);

/// The lines of a message on one. The first often only announces the values ("Expected equality of
/// these values:"), and these are what a reader wants.
std::string folded_message(const std::string& message);

/// The test's name on one line.
std::string printable_name(const Test& test);

/// What ended it, for outcomes that are no plain failure: "SIGSEGV (Segmentation fault)",
/// "the test exited with code 3", "no result within its time limit"; "" for the others.
std::string ending_text(const Outcome& outcome);

/// "left 2 threads and 1 child process running", "" without leaks.
std::string leaks_text(const Leaks& leaks);

/// "     PASS [  0.012 ms] Suite.Name" and, dimmed, a remark in brackets if there is one.
std::string status_line(StatusWord status, std::chrono::nanoseconds duration, std::string_view name,
                        std::string_view remark, const Style& style);

/// "     SLOW [>  10.0 s] Suite.Name (still running)": for a test that has no result yet.
std::string still_running_line(std::chrono::nanoseconds elapsed, std::string_view name,
                               const Style& style);

/// The status line of a failing test and what is known of the failure below it: place, message,
/// signal, stack, leaks, output. Long parts are cut unless `verbose`. Ends with a newline.
std::string failure_block(const TestRun& run, const Test& test, const Style& style, bool verbose);

/// The failure in one line, for lists: place, then what happened.
std::string failure_headline(const TestRun& run, const Test& test);

/// Adds one outcome to a tally that grows while the run goes on.
void add_outcome(OutcomeCounts& counts, OutcomeKind kind);

enum class CountDetail { brief, with_kinds };

/// "1,990 passed (3 slow), 8 failed (1 crashed, 1 timed out), 2 skipped"; brief leaves the brackets
/// out. Zero parts are left out, but "passed" stays. not_run is not in it: those tests have no
/// result.
/// `slow`: how many of those that passed are called slow.
StyledLine counts_line(const OutcomeCounts& counts, CountDetail detail, int slow = 0);

}  // namespace gordian
