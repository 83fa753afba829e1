// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "base/text.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <utility>

namespace gordian {
namespace {

std::string listed(const std::vector<std::string>& words, std::string_view before_last) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? before_last : ", ";
    text += words[i];
  }
  return text;
}

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last, last, row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before_last = std::exchange(last, row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      std::size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, replaced});
      bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
  }
  return row[b.size()];
}

std::optional<std::string> closest_word(std::string_view word,
                                        const std::vector<std::string>& candidates) {
  const std::size_t near_enough = std::max<std::size_t>(1, word.size() / 3);
  std::optional<std::string> best;
  std::size_t best_distance = near_enough + 1;
  for (const std::string& candidate : candidates) {
    std::size_t distance = edit_distance(word, candidate);
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

std::vector<std::string> words_of(std::string_view list) {
  std::vector<std::string> words;
  while (!list.empty()) {
    const std::string_view word = list.substr(0, list.find(' '));
    if (!word.empty()) words.emplace_back(word);
    list.remove_prefix(std::min(word.size() + 1, list.size()));
  }
  return words;
}

bool has_word(std::string_view list, std::string_view word) {
  const std::vector<std::string> words = words_of(list);
  return std::find(words.begin(), words.end(), word) != words.end();
}

std::string alternatives(const std::vector<std::string>& words) {
  return listed(words, " or ");
}

std::string enumeration(const std::vector<std::string>& words) {
  return listed(words, " and ");
}

std::string trimmed(std::string_view text, std::string_view blanks) {
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(blanks) - first + 1));
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at)) {
    text.replace(at, from.size(), to);
    at += to.size();
  }
}

std::string shell_word(const std::string& word) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  std::string quoted = "'";
  for (char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string shell_quoted(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) line += (line.empty() ? "" : " ") + shell_word(word);
  return line;
}

std::string bracket_argument(const std::string& text) {
  std::string equals = "=";
  while ((text + "]").find("]" + equals + "]") != std::string::npos) equals += "=";
  return "[" + equals + "[" + text + "]" + equals + "]";
}

std::string list_element(const std::string& text) {
  std::string element;
  for (char c : text) element += c == ';' ? std::string("\\;") : std::string(1, c);
  return element;
}

Result<std::chrono::milliseconds> parse_duration(const std::string& text) {
  char* end = nullptr;
  double value = std::strtod(text.c_str(), &end);
  std::string unit = end;
  double scale = unit.empty() || unit == "s"    ? 1000.0
                 : unit == "ms"                 ? 1.0
                 : unit == "m" || unit == "min" ? 60'000.0
                 : unit == "h"                  ? 3'600'000.0
                                                : -1.0;
  if (end == text.c_str() || scale < 0 || !(value >= 0) || value * scale > 1e12) {
    return usage_error("'" + text + "' is not a time", "write 500ms, 2s, 1.5m, or 0 for none");
  }
  return std::chrono::milliseconds(std::llround(value * scale));
}

}  // namespace gordian
