// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "repair/function_names.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

namespace gordian {
namespace {

char lower(char c) {
  return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

bool is_upper(char c) {
  return std::isupper(static_cast<unsigned char>(c)) != 0;
}

/// "setLevel", "SetLevel" -> "Level", "set_level" -> "level"; others, "settle" too, -> "".
std::string_view set_what(std::string_view setter) {
  if (setter.size() < 4 || lower(setter[0]) != 's' || setter.substr(1, 2) != "et") return {};
  if (setter[3] == '_') return setter.substr(4);
  return is_upper(setter[3]) ? setter.substr(3) : std::string_view();
}

/// Letters and digits alone, small.
std::string letters_of(std::string_view name) {
  std::string word;
  for (const char c : name) {
    if (c != '_') word += lower(c);
  }
  return word;
}

/// Likewise, without the marks of members, globals and statics.
std::string bare(std::string_view name) {
  if (name.size() > 2 && name[1] == '_' && (name[0] == 'm' || name[0] == 's' || name[0] == 'g')) {
    name.remove_prefix(2);
  }
  return letters_of(name);
}

template <std::size_t N, class Test>
bool any(const std::array<std::string_view, N>& words, Test test) {
  return std::any_of(words.begin(), words.end(), test);
}

}  // namespace

int reset_score(std::string_view name) {
  const std::string word = letters_of(name);
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

std::vector<std::string> getter_names(std::string_view setter) {
  const std::string what(set_what(setter));
  if (what.empty()) return {std::string(setter)};
  if (setter[3] == '_') return {what, "get_" + what, "is_" + what};
  std::string small = what;
  small[0] = lower(small[0]);
  std::vector<std::string> names = {small, what, "get" + what, "Get" + what, "is" + what};
  if (is_upper(setter[0])) names = {what, "Get" + what, small, "Is" + what};
  return names;
}

std::string property_name(std::string_view setter) {
  const std::string_view what = set_what(setter);
  return std::string(what.empty() ? setter : what);
}

int property_fit(std::string_view setter, std::string_view variable) {
  const std::string property = bare(property_name(setter)), name = bare(variable);
  if (property.empty() || name.empty()) return 0;
  if (property == name) return 2;
  const bool part =
      property.find(name) != std::string::npos || name.find(property) != std::string::npos;
  return part ? 1 : 0;
}

}  // namespace gordian
