// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Small things that are done with text: slips of the fingers, lists of words, what shells and CMake
// take, times as people write them.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace gordian {

/// Insertions, deletions, replacements and swaps of neighbours between two words.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The nearest word, if it is near enough to be a slip of the fingers.
std::optional<std::string> closest_word(std::string_view word,
                                        const std::vector<std::string>& candidates);

/// The words of a list that blanks separate: "replay detect report".
std::vector<std::string> words_of(std::string_view list);
bool has_word(std::string_view list, std::string_view word);

/// "a", "a or b", "a, b or c".
std::string alternatives(const std::vector<std::string>& words);
/// "a", "a and b", "a, b and c".
std::string enumeration(const std::vector<std::string>& words);

/// Without these signs at its ends; all of std::isspace() if none are given.
std::string trimmed(std::string_view text, std::string_view blanks = " \t\n\v\f\r");

void replace_all(std::string& text, std::string_view from, std::string_view to);

/// Commands that we print must survive being pasted into a shell: as it is when it is harmless,
/// else in single quotes.
std::string shell_word(const std::string& word);

/// All of them, with blanks between.
std::string shell_quoted(const std::vector<std::string>& words);

/// Any text as one argument of a command of CMake's.
std::string bracket_argument(const std::string& text);

/// As an element of a list. A list whose elements have unbalanced brackets comes apart all the
/// same.
std::string list_element(const std::string& text);

/// "1500ms", "2s", "1.5m", "0" (none); a bare number is seconds.
Result<std::chrono::milliseconds> parse_duration(const std::string& text);

}  // namespace gordian
