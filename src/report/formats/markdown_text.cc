// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "report/formats/markdown_text.h"

#include <algorithm>

#include "base/text.h"
#include "report/text.h"

namespace gordian::markdown {
namespace {

std::size_t longest_run(std::string_view text, char wanted) {
  std::size_t longest = 0, run = 0;
  for (char c : text) {
    run = c == wanted ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return longest;
}

std::string in_backticks(const std::string& line) {
  if (line.empty()) return {};
  const std::string ticks(longest_run(line, '`') + 1, '`');
  // A reader takes one blank off each end, if both have one and there is more between.
  const bool padded =
      line.front() == '`' || line.back() == '`' || line.front() == ' ' || line.back() == ' ';
  const std::string gap = padded ? " " : "";
  return ticks + gap + line + gap + ticks;
}

}  // namespace

std::string code(std::string_view text) {
  return in_backticks(sanitize_line(text));
}

std::string cell_code(std::string_view text) {
  std::string line = sanitize_line(text);
  replace_all(line, "|", "\\|");  // taken off before the cell is read, also inside of code
  return in_backticks(line);
}

std::string html_code(std::string_view text) {
  std::string line = sanitize_line(text);
  replace_all(line, "&", "&amp;");  // first: what the others become has one
  replace_all(line, "<", "&lt;");
  replace_all(line, ">", "&gt;");
  return "<code>" + line + "</code>";
}

std::string text(std::string_view words) {
  static constexpr std::string_view kMarkup = "\\`*_{}[]<>#|~&!";
  std::string out;
  for (char c : sanitize_line(words)) {
    if (kMarkup.find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

std::string fence(std::string_view language, std::string_view content) {
  const std::string safe = sanitize_text(content);
  const std::string ticks(std::max<std::size_t>(longest_run(safe, '`') + 1, 3), '`');
  std::string out = ticks + std::string(language) + "\n" + safe;
  if (!safe.empty() && safe.back() != '\n') out += "\n";
  return out + ticks + "\n";
}

std::string row(const std::vector<std::string>& cells) {
  std::string line = "|";
  for (const std::string& cell : cells) line += " " + cell + " |";
  return line + "\n";
}

std::string head(const std::vector<std::string>& cells) {
  std::string rule = "|";
  for (std::size_t i = 0; i < cells.size(); ++i) rule += " --- |";
  return row(cells) + rule + "\n";
}

}  // namespace gordian::markdown
