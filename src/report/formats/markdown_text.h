// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Pieces of GitHub's Markdown. What comes from tests stands in code, where nothing is markup, a
// mention or a link.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gordian::markdown {

/// `name`, with as many backticks around as it takes. One line.
std::string code(std::string_view text);
/// The same for the cell of a table.
std::string cell_code(std::string_view text);
/// The same as HTML, for places where Markdown is not read.
std::string html_code(std::string_view text);
/// Our own words, or numbers, with what would be markup escaped. One line.
std::string text(std::string_view words);

/// A block of code; `language` may be empty. Control characters are made visible.
std::string fence(std::string_view language, std::string_view content);

/// "| a | b |\n": cells must be safe already.
std::string row(const std::vector<std::string>& cells);
/// A row and the rule below it.
std::string head(const std::vector<std::string>& cells);

}  // namespace gordian::markdown
