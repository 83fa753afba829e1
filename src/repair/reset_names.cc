// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "repair/reset_names.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

namespace gordian {
namespace {

template <std::size_t N, class Test>
bool any(const std::array<std::string_view, N>& words, Test test) {
  return std::any_of(words.begin(), words.end(), test);
}

}  // namespace

int reset_score(std::string_view name) {
  std::string word;
  for (char c : name) {
    if (c != '_') word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  const auto contains = [&](std::string_view part) { return word.find(part) != std::string::npos; };
  if (contains("fortest")) return contains("reset") || contains("clear") ? 5 : 0;
  constexpr std::array<std::string_view, 8> kWhole = {
      "reset",        "clear",  "clearall",        "resetall",
      "reinitialize", "reinit", "restoredefaults", "resettodefaults"};
  if (any(kWhole, [&](auto whole) { return word == whole; })) return 4;
  constexpr std::array<std::string_view, 4> kBegins = {"reset", "clear", "restore", "dropall"};
  if (any(kBegins, [&](auto begin) { return word.starts_with(begin); })) return 3;
  constexpr std::array<std::string_view, 4> kParts = {"unregisterall", "removeall", "cleanup",
                                                      "setdefaults"};
  if (any(kParts, contains)) return 2;
  constexpr std::array<std::string_view, 2> kEnds = {"shutdown", "teardown"};
  return any(kEnds, contains) ? kEndsScore : 0;
}

}  // namespace gordian
