// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "report/diff_text.h"

#include <fmt/format.h>

#include <array>
#include <span>
#include <vector>

#include "report/text.h"
#include "report/units.h"

namespace gordian {
namespace {

bool begins_with_any(std::string_view line, std::span<const std::string_view> starts) {
  for (std::string_view start : starts) {
    if (line.starts_with(start)) return true;
  }
  return false;
}

Ink ink_of(std::string_view line, bool in_hunk) {
  static constexpr std::array<std::string_view, 7> kHeads = {
      "diff ", "--- ", "+++ ", "index ", "new file", "old mode", "new mode"};
  if (line.starts_with("@@")) return Ink::cyan;
  if (!in_hunk && begins_with_any(line, kHeads)) return Ink::bold;
  if (line.starts_with("+")) return Ink::green;
  if (line.starts_with("-")) return Ink::red;
  return Ink::plain;
}

/// Of the lines from `at` on, those that only add.
std::size_t added_from(const std::vector<std::string_view>& lines, std::size_t at) {
  std::size_t end = at;
  while (end < lines.size() && lines[end].starts_with('+')) ++end;
  return end - at;
}

}  // namespace

std::string diff_text(std::string_view diff, const Style& style, NewFiles new_files) {
  std::string text;
  bool in_hunk = false;  // where "--- x" is a removed line
  bool is_new = false;
  const std::vector<std::string_view> lines = split_lines(diff);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::string_view line = lines[i];
    if (line.starts_with("diff ")) in_hunk = false;
    if (!in_hunk && line.starts_with("--- ")) is_new = line.starts_with("--- /dev/null");
    if (line.starts_with("@@")) in_hunk = true;
    if (line.ends_with('\r')) line.remove_suffix(1);
    text += paint(sanitize_text(line), ink_of(line, in_hunk), style.color) + "\n";
    const std::size_t added =
        in_hunk && is_new && line.starts_with("@@") ? added_from(lines, i + 1) : 0;
    if (new_files == NewFiles::whole || added <= kLongNewFile) continue;
    text += paint(fmt::format("[{} of a new file: -v shows them]", count_of(added, "line")),
                  Ink::dim, style.color) +
            "\n";
    i += added;
  }
  return text;
}

}  // namespace gordian
