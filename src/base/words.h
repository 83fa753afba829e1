// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Lists of words: as tables write them, and as sentences do.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gordian {

/// The words of a list that blanks separate: "replay detect report".
std::vector<std::string> words_of(std::string_view list);
bool has_word(std::string_view list, std::string_view word);

/// "a", "a or b", "a, b or c".
std::string alternatives(const std::vector<std::string>& words);

}  // namespace gordian
