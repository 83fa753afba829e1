// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "model/flow_facts.h"

#include <algorithm>
#include <array>
#include <utility>

namespace gordian {
namespace {

constexpr std::array<std::pair<FlowVerdict, std::string_view>, 4> kWords = {{
    {FlowVerdict::untested, "untested"},
    {FlowVerdict::manifest, "manifest"},
    {FlowVerdict::not_manifest, "not_manifest"},
    {FlowVerdict::untestable, "untestable"},
}};

}  // namespace

std::string_view to_string(FlowVerdict verdict) {
  for (auto [value, word] : kWords) {
    if (value == verdict) return word;
  }
  return "untested";
}

std::optional<FlowVerdict> parse_flow_verdict(std::string_view text) {
  for (auto [value, word] : kWords) {
    if (word == text) return value;
  }
  return std::nullopt;
}

std::uint64_t FlowFacts::count(FlowVerdict verdict) const {
  return static_cast<std::uint64_t>(
      std::count_if(tested.begin(), tested.end(),
                    [verdict](const TestedFlow& one) { return one.verdict == verdict; }));
}

}  // namespace gordian
