// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "repair/layout.h"

#include <algorithm>
#include <map>

#include "repair/line_diff.h"

namespace gordian {

namespace {

constexpr std::string_view kBlanks = " \t";

/// What the first line inside of these braces has more than the line of the closing one.
std::string added_by(const Code& code, std::size_t open) {
  const std::size_t close = code.partner(open);
  if (!code.is(open, "{") || close == Code::kNone || close <= open + 1) return {};
  const std::string_view content = code.content();
  const std::size_t inside = code[open + 1].begin, end = code[close].begin;
  if (!first_in_line(content, inside) || !first_in_line(content, end)) return {};
  const std::string_view deep = indentation_at(content, inside);
  const std::string_view flat = indentation_at(content, end);
  if (deep.size() <= flat.size() || deep.substr(0, flat.size()) != flat) return {};
  return std::string(deep.substr(flat.size()));
}

}  // namespace

std::size_t line_begin(std::string_view content, std::size_t offset) {
  if (offset == 0) return 0;
  const std::size_t newline = content.rfind('\n', offset - 1);
  return newline == std::string_view::npos ? 0 : newline + 1;
}

std::size_t line_end(std::string_view content, std::size_t offset) {
  const std::size_t newline = content.find('\n', offset);
  if (newline == std::string_view::npos) return content.size();
  return newline > offset && content[newline - 1] == '\r' ? newline - 1 : newline;
}

std::size_t next_line(std::string_view content, std::size_t offset) {
  const std::size_t newline = content.find('\n', offset);
  return newline == std::string_view::npos ? content.size() : newline + 1;
}

std::string_view indentation_at(std::string_view content, std::size_t offset) {
  const std::size_t begin = line_begin(content, offset);
  const std::size_t end = std::min(content.find_first_not_of(kBlanks, begin), content.size());
  return content.substr(begin, end - begin);
}

bool first_in_line(std::string_view content, std::size_t offset) {
  const std::size_t begin = line_begin(content, offset);
  return content.substr(begin, offset - begin).find_first_not_of(kBlanks) == std::string_view::npos;
}

std::string_view newline_of(std::string_view content) {
  std::size_t with = 0, all = 0;
  for (std::size_t at = content.find('\n'); at != std::string_view::npos;
       at = content.find('\n', at + 1)) {
    ++all;
    if (at > 0 && content[at - 1] == '\r') ++with;
  }
  return 2 * with > all ? "\r\n" : "\n";
}

std::string indentation_unit(const Code& code) {
  constexpr std::size_t kDeepest = 8;  // more is a continued line
  std::map<std::string, int> seen;
  for (std::size_t i = 0; i < code.size(); ++i) {
    const std::string added = added_by(code, i);
    if (!added.empty() && added.size() <= kDeepest) ++seen[added];
  }
  const auto most = std::max_element(
      seen.begin(), seen.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == seen.end() ? "  " : most->first;
}

std::string indented(std::string_view text, std::string_view indentation,
                     std::string_view newline) {
  std::string result;
  for (std::string_view line : whole_lines(text)) {
    if (!result.empty()) result += newline;
    while (!line.empty() && (line.back() == '\n' || line.back() == '\r')) line.remove_suffix(1);
    if (!line.empty()) result.append(indentation).append(line);
  }
  return result;
}

}  // namespace gordian
