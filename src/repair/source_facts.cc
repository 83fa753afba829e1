// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "repair/source_facts.h"

#include <algorithm>
#include <filesystem>
#include <string_view>

namespace gordian {
namespace {

/// Compilers put blanks into template arguments as they like.
std::string without_spaces(std::string_view name) {
  std::string result;
  std::copy_if(name.begin(), name.end(), std::back_inserter(result),
               [](char c) { return c != ' '; });
  return result;
}

/// "*(*g_x).y" begins with g_x.
std::string_view without_stars(std::string_view carrier) {
  return carrier.substr(std::min(carrier.find_first_not_of("*("), carrier.size()));
}

/// `carrier` is `state`, or leads on from it.
bool leads_from(std::string_view carrier, std::string_view state) {
  if (state.empty() || !carrier.starts_with(state)) return false;
  const std::string_view rest = carrier.substr(state.size());
  return rest.empty() || rest.starts_with('.') || rest.starts_with("->") || rest.starts_with('[') ||
         rest.starts_with(')');
}

bool is_suffix_path(const std::filesystem::path& shorter, const std::filesystem::path& whole) {
  auto a = shorter.end();
  auto b = whole.end();
  while (a != shorter.begin()) {
    if (b == whole.begin() || *--a != *--b) return false;
  }
  return true;
}

bool same_file(const std::string& a, const std::string& b) {
  const auto one = std::filesystem::path(a).lexically_normal();
  const auto other = std::filesystem::path(b).lexically_normal();
  return !one.empty() && !other.empty() &&
         (is_suffix_path(one, other) || is_suffix_path(other, one));
}

}  // namespace

const StateFact* SourceFacts::state(const std::string& name) const {
  const std::string plain = without_spaces(name);
  const std::string_view carrier = without_stars(plain);
  const StateFact* best = nullptr;
  std::size_t longest = 0;
  for (const StateFact& state : states) {
    const std::string known = without_spaces(state.name);
    if (known.size() <= longest || !leads_from(carrier, known)) continue;
    best = &state;
    longest = known.size();
  }
  return best;
}

const TestFact* SourceFacts::test_at(const std::string& file, int line) const {
  const TestFact* around = nullptr;
  for (const TestFact& test : tests) {
    if (!same_file(test.macro.file, file)) continue;
    if (test.macro.line == line) return &test;
    if (test.macro.line <= line && line <= test.body.line) around = &test;
  }
  return around;
}

const FixtureFact* SourceFacts::fixture(const std::string& name) const {
  const FixtureFact* found = nullptr;
  for (const FixtureFact& fixture : fixtures) {
    if (fixture.name == name) return &fixture;
    if (fixture.name.ends_with("::" + name) || name.ends_with("::" + fixture.name))
      found = &fixture;
  }
  return found;
}

}  // namespace gordian
