// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "frameworks/framework_traits.h"

#include <algorithm>
#include <array>

#include "base/check.h"

namespace gordian {

std::span<const FrameworkTraits* const> all_frameworks() {
  static const std::array kAll = {&gtest_traits(), &catch2_traits(), &doctest_traits(),
                                  &boost_traits(), &cpputest_traits()};
  return kAll;
}

const FrameworkTraits& traits_of(Framework framework) {
  auto all = all_frameworks();
  auto found = std::find_if(all.begin(), all.end(), [framework](const FrameworkTraits* traits) {
    return traits->framework == framework;
  });
  GORDIAN_CHECK(found != all.end());
  return **found;
}

bool starts_with_any(std::string_view text, Words prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [text](std::string_view prefix) { return text.starts_with(prefix); });
}

}  // namespace gordian
