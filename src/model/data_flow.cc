// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "model/data_flow.h"

#include <algorithm>

#include "base/enum_words.h"

namespace gordian {
namespace {

bool share(const std::vector<StateId>& a, const std::vector<StateId>& b) {
  auto left = a.begin();
  auto right = b.begin();
  while (left != a.end() && right != b.end()) {
    if (*left == *right) return true;
    if (*left < *right) {
      ++left;
    } else {
      ++right;
    }
  }
  return false;
}

constexpr EnumWords<FlowVerdict, 4> kFlowVerdictWords = {{
    {FlowVerdict::untested, "untested"},
    {FlowVerdict::manifest, "manifest"},
    {FlowVerdict::not_manifest, "not_manifest"},
    {FlowVerdict::untestable, "untestable"},
}};

}  // namespace

std::string_view to_string(FlowSource source) {
  return source == FlowSource::watch ? "watch" : "trace";
}

Influence influence(const DataFlow& flow, std::size_t tests) {
  Influence result(tests);
  for (const TestFlow& writer : flow.tests) {
    for (const TestFlow& reader : flow.tests) {
      const bool sure = writer.unsure.empty() && reader.unsure.empty();
      result.set(writer.test, reader.test, !sure || share(writer.writes, reader.reads));
    }
  }
  return result;
}

std::string_view to_string(FlowVerdict verdict) {
  return word_in(kFlowVerdictWords, verdict);
}

std::optional<FlowVerdict> parse_flow_verdict(std::string_view text) {
  return value_in(kFlowVerdictWords, text);
}

std::uint64_t FlowFacts::count(FlowVerdict verdict) const {
  return static_cast<std::uint64_t>(
      std::count_if(tested.begin(), tested.end(),
                    [verdict](const TestedFlow& one) { return one.verdict == verdict; }));
}

}  // namespace gordian
