// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "config/test_override.h"

#include <algorithm>

namespace gordian {
namespace {

/// The first override that selects the test and has a word on this subject.
template <class Subject>
const TestOverride* first_with(const Test& test, std::span<const TestOverride> overrides,
                               Subject TestOverride::*subject) {
  auto found = std::find_if(overrides.begin(), overrides.end(), [&](const TestOverride& override) {
    return (override.*subject).has_value() && override.filter.matches(test);
  });
  return found == overrides.end() ? nullptr : &*found;
}

}  // namespace

std::vector<std::optional<std::chrono::nanoseconds>> own_timeouts(
    const Suite& suite, std::span<const TestOverride> overrides) {
  std::vector<std::optional<std::chrono::nanoseconds>> limits;
  for (std::uint32_t i = 0; i < suite.size() && !overrides.empty(); ++i) {
    const auto* override = first_with(suite.test(TestId(i)), overrides, &TestOverride::timeout);
    if (override == nullptr) continue;
    limits.resize(suite.size());
    limits[i] = *override->timeout;
  }
  return limits;
}

bool is_serial(const Test& test, std::span<const TestOverride> overrides) {
  const auto* override = first_with(test, overrides, &TestOverride::serial);
  return override != nullptr && *override->serial;
}

SerialSplit split_serial(const Order& order, const Suite& suite,
                         std::span<const TestOverride> overrides) {
  SerialSplit split;
  for (std::size_t i = 0; i < order.size(); ++i) {
    (is_serial(suite.test(order[i]), overrides) ? split.alone : split.together).push_back(i);
  }
  return split;
}

Status run_split(const SerialSplit& split,
                 const std::function<Status(std::span<const std::size_t> positions)>& run) {
  if (!split.together.empty()) {
    if (Status ran = run(split.together); !ran) return ran;
  }
  for (const std::size_t& position : split.alone) {
    if (Status ran = run({&position, 1}); !ran) return ran;
  }
  return {};
}

}  // namespace gordian
