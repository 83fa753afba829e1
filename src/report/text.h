// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Text and numbers for people. Text that came from a test (names, messages, output) is not to be
// trusted with a terminal: these helpers make it harmless, measure how many columns it takes, and
// cut it to size. All of them take any bytes; none depends on the locale. Pure functions.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gordian {

/// One code point at the start of a text, or one byte that is no valid UTF-8 there.
struct Rune {
  char32_t code = 0;
  std::size_t bytes = 1;
  bool valid = false;
};

/// Strict: overlong forms, surrogates and values past U+10FFFF are invalid. REQUIRES:
/// !text.empty().
Rune decode_rune(std::string_view text);

/// Control characters, escape sequences, text-direction overrides and invisible separators become
/// visible ("\x1b", "\u{202e}"), invalid UTF-8 becomes "\xff". Newlines and tabs stay.
std::string sanitize_text(std::string_view text);

/// As sanitize_text, for what must stay on one line: newlines and tabs become "\n" and "\t" too.
std::string sanitize_line(std::string_view text);

/// Terminal columns taken by one line of sanitised text; tabs and controls count as one.
int display_width(std::string_view text);

/// At most `width` columns, the middle replaced by `ellipsis`: both ends of a test's name tell
/// something. Never cuts inside a code point or between a letter and its combining marks.
std::string truncate_middle(std::string_view text, int width, std::string_view ellipsis);

/// At most `width` columns, the end replaced by `ellipsis`.
std::string truncate_end(std::string_view text, int width, std::string_view ellipsis);

/// Lines without their newlines; a final newline makes no empty last line.
std::vector<std::string_view> split_lines(std::string_view text);

std::string_view first_line(std::string_view text);

/// How much of a long text is shown. 0 means all.
struct ExcerptLimits {
  std::size_t lines = 0;    ///< half from the head, half from the tail
  std::size_t columns = 0;  ///< longer lines are cut at the end
};

/// Sanitised lines of `text`, each with `indent` before and a newline after. What was left out is
/// said in its place.
std::string excerpt(std::string_view text, std::string_view indent, ExcerptLimits limits);

/// A table in plain text: rows of cells, the first column to the left, all others to the right, two
/// blanks before each; the column `remarks` is to the left, too. Rows may be shorter than the first
/// one. Text must be sanitised.
std::string columns(const std::vector<std::vector<std::string>>& rows, std::size_t remarks = 0);

/// "850 ns", "42 us", "1.3 ms", "412 ms", "2.41 s", "1m 05s", "2h 03m". Negative counts as zero.
std::string human_duration(std::chrono::nanoseconds duration);

/// For a clock that is watched: "4.1 s", "1m 05s", "2h 03m".
std::string human_elapsed(std::chrono::nanoseconds duration);

/// Always ten columns, so that names below one another start in one column: "  0.012 ms",
/// "   2.410 s", "   2h 46m".
std::string column_duration(std::chrono::nanoseconds duration);

/// 14280 -> "14,280".
std::string thousands(std::uint64_t count);

/// "1 test", "2,000 tests"; words that do not just take an s name their plural.
std::string count_of(std::uint64_t count, std::string_view word, std::string_view plural = {});

/// A quoted string of the DOT language that shows `text` on one line, whatever it holds.
std::string dot_quoted(std::string_view text);

}  // namespace gordian
