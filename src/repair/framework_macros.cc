// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "repair/framework_macros.h"

#include <algorithm>

#include "frameworks/framework_traits.h"

namespace gordian {
namespace {

bool is_one_of(std::string_view name, Words words) {
  return std::find(words.begin(), words.end(), name) != words.end();
}

bool holds_one_of(std::string_view name, Words parts) {
  return std::any_of(parts.begin(), parts.end(), [name](std::string_view part) {
    return name.find(part) != std::string_view::npos;
  });
}

template <class Fits>
bool any_macros(Fits fits) {
  const auto all = all_frameworks();
  return std::any_of(all.begin(), all.end(),
                     [&](const FrameworkTraits* traits) { return fits(traits->macros); });
}

std::string_view without_prefix(std::string_view name) {
  for (const FrameworkTraits* traits : all_frameworks()) {
    const std::string_view prefix = traits->macros.prefix;
    if (!prefix.empty() && name.starts_with(prefix)) return name.substr(prefix.size());
  }
  return name;
}

}  // namespace

const TestMacro* test_macro(std::string_view name) {
  const std::string_view plain = without_prefix(name);
  for (const FrameworkTraits* traits : all_frameworks()) {
    for (const TestMacro& macro : traits->macros.tests) {
      if (macro.name == plain) return &macro;
    }
  }
  return nullptr;
}

bool is_check_macro(std::string_view name) {
  const std::string_view plain = without_prefix(name);
  return plain == "assert" || any_macros([plain](const FrameworkMacros& macros) {
           return is_one_of(plain, macros.checks) || starts_with_any(plain, macros.checks_begin) ||
                  holds_one_of(plain, macros.checks_hold);
         });
}

bool is_skip_macro(std::string_view name) {
  return any_macros(
      [name](const FrameworkMacros& macros) { return is_one_of(name, macros.skips); });
}

bool is_suite_macro(std::string_view name) {
  const std::string_view plain = without_prefix(name);
  return any_macros(
      [plain](const FrameworkMacros& macros) { return is_one_of(plain, macros.suites); });
}

}  // namespace gordian
