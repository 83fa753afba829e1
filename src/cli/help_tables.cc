// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "cli/help_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "cli/help_text.h"
#include "config/settings.h"
#include "detect/algorithms.h"
#include "model/isolation.h"

namespace gordian {
namespace {

constexpr std::size_t kPageWidth = 100;

std::string algorithms_table() {
  std::vector<std::pair<std::string, std::string_view>> rows;
  for (const AlgorithmTraits& traits : algorithms()) rows.emplace_back(traits.word, traits.help);
  return two_columns(rows);
}

std::string isolations_table() {
  std::vector<std::pair<std::string, std::string_view>> rows;
  for (const IsolationTraits& traits : kIsolations) {
    rows.emplace_back("--isolate " + std::string(traits.word), traits.help);
  }
  return two_columns(rows);
}

std::string settings_table() {
  const std::string keys = fmt::format("{}", fmt::join(setting_keys(), " "));
  return "  " + wrapped(keys, 2, kPageWidth);
}

}  // namespace

/// Words from `column` on, in lines not longer than `width`; the first line has begun already.
std::string wrapped(std::string_view text, std::size_t column, std::size_t width) {
  std::string out;
  std::size_t at = column;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(word.size() + 1, text.size()));
    if (at > column && at + 1 + word.size() > width) {
      out += "\n" + std::string(column, ' ');
      at = column;
    } else if (at > column) {
      out += ' ';
      ++at;
    }
    out += word;
    at += word.size();
  }
  return out + "\n";
}

std::string two_columns(const std::vector<std::pair<std::string, std::string_view>>& rows) {
  std::size_t longest = 0;
  for (const auto& [word, meaning] : rows) longest = std::max(longest, word.size());
  const std::size_t column = 2 + longest + 3;
  std::string text;
  for (const auto& [word, meaning] : rows) {
    text += fmt::format("{:<{}}{}", "  " + word, column, wrapped(meaning, column, kPageWidth));
  }
  return text;
}

std::span<const HelpTable> help_tables() {
  static constexpr std::array kTables = {HelpTable{"@algorithms@", algorithms_table},
                                         HelpTable{"@isolations@", isolations_table},
                                         HelpTable{"@settings@", settings_table}};
  return kTables;
}

}  // namespace gordian
