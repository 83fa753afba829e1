// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "frameworks/framework_traits.h"

#include <algorithm>

#include "base/check.h"
#include "frameworks/frameworks.h"

namespace gordian {

std::span<const FrameworkTraits* const> all_frameworks() {
  static const auto all = [] {
    std::array<const FrameworkTraits*, kFrameworks.size()> traits{};
    for (std::size_t i = 0; i < traits.size(); ++i) traits[i] = &kFrameworks[i].traits();
    return traits;
  }();
  return all;
}

const FrameworkTraits* find_traits(Framework framework) {
  for (const FrameworkTraits* traits : all_frameworks()) {
    if (traits->framework == framework) return traits;
  }
  return nullptr;
}

const FrameworkTraits& traits_of(Framework framework) {
  const FrameworkTraits* traits = find_traits(framework);
  GORDIAN_CHECK(traits != nullptr);
  return *traits;
}

namespace {

using Access = FrameworkAccess (*)(std::string_view name);

FrameworkAccess access(Access FrameworkTraits::*trait, std::string_view name) {
  for (const FrameworkTraits* traits : all_frameworks()) {
    if (traits->*trait == nullptr) continue;
    if (FrameworkAccess found = (traits->*trait)(name); !found.code.empty()) return found;
  }
  return {};
}

}  // namespace

FrameworkAccess access_to_option(std::string_view name) {
  return access(&FrameworkTraits::option, name);
}

FrameworkAccess access_to_reset(std::string_view variable) {
  return access(&FrameworkTraits::reset, variable);
}

bool starts_with_any(std::string_view text, Words prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [text](std::string_view prefix) { return text.starts_with(prefix); });
}

}  // namespace gordian
