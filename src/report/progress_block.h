// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What the bottom of the terminal shows while tests run, and its one-line form for a pipe. Pure
// functions of a Progress; the drawing is live_display's.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/outcome_text.h"
#include "report/terminal_style.h"
#include "runtime/order_runner.h"

namespace gordian {

struct Progress {
  std::size_t done = 0;
  std::size_t total = 0;  ///< 0 while unknown
  OutcomeCounts counts;
  std::chrono::nanoseconds elapsed{0};
  std::vector<RunningTest> running;
};

/// Tests that have run for less than this are not worth a line.
inline constexpr std::chrono::milliseconds kWorthShowing{500};

/// Where the text of each line begins: "  Running [    10.0 s] ".
inline constexpr int kClockColumn = kStatusWidth + 14;
std::string clock_column(std::string_view word, std::chrono::nanoseconds elapsed);

/// Adds the bar and a blank. Its width hangs on the terminal's alone: it must not twitch with the
/// numbers beside it. Nothing in a narrow terminal, or when `total` is 0.
void add_bar(StyledLine& line, std::uint64_t done, std::uint64_t total, Ink ink,
             const Style& style);

/// The time left if the rest goes on as before; nullopt in the first second and before the first
/// result, when that would be a guess.
std::optional<std::chrono::nanoseconds> time_left(std::uint64_t done, std::uint64_t total,
                                                  std::chrono::nanoseconds elapsed);
std::optional<std::chrono::nanoseconds> time_left(const Progress& progress);

/// "9 s left", "12m 30s left": whole seconds, since tenths of an estimate would only flicker.
std::string left_text(std::chrono::nanoseconds left);

/// Bar, counts, and the longest running tests (at most `max_running`), each line no wider than
/// style.width - 1: the last column stays free, so that no terminal wraps.
std::vector<StyledLine> progress_block(const Progress& progress, const Suite& suite,
                                       std::size_t max_running, const Style& style);

/// "  Running [    10.0 s] 812/2,000: 807 passed, 3 failed; Suite.Slow runs for 8.1 s"
std::string progress_line(const Progress& progress, const Suite& suite);

}  // namespace gordian
