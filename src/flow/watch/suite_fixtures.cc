// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "flow/watch/suite_fixtures.h"

#include <algorithm>
#include <array>

#include "symbols/code_map.h"

namespace gordian {

bool sets_up_suites(std::string_view mangled) {
  // As members are mangled: their length, their name, the end of the nested name, no argument.
  static constexpr std::array<std::string_view, 4> kNames = {
      "14SetUpTestSuiteEv", "17TearDownTestSuiteEv", "13SetUpTestCaseEv", "16TearDownTestCaseEv"};
  constexpr std::string_view kFrameworks = "_ZN7testing4Test";
  return std::any_of(kNames.begin(), kNames.end(), [&](std::string_view name) {
    const bool of_the_framework =
        mangled.starts_with(kFrameworks) && mangled.size() == kFrameworks.size() + name.size();
    return mangled.ends_with(name) && !of_the_framework;
  });
}

bool has_suite_fixtures(const std::vector<std::string>& modules) {
  return std::any_of(modules.begin(), modules.end(), [](const std::string& path) {
    auto code = CodeMap::read(path);
    if (!code) return true;
    return std::any_of(
        code->symbols().begin(), code->symbols().end(), [](const CodeSymbol& symbol) {
          return sets_up_suites(symbol.name) ||
                 std::any_of(symbol.aliases.begin(), symbol.aliases.end(), sets_up_suites);
        });
  });
}

}  // namespace gordian
