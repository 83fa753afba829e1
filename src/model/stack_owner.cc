// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "model/stack_owner.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace gordian {
namespace {

constexpr std::string_view kAgent = "libgordian-agent";

bool is_frameworks(const StackFrame& frame) {
  return frame_owner(frame) == FrameOwner::framework;
}

/// A library of somebody else, without lines: who called it is of more use.
std::span<const StackFrame>::iterator with_lines(std::span<const StackFrame>::iterator found,
                                                 std::span<const StackFrame>::iterator end) {
  if (found == end || !found->file.empty()) return found;
  const auto better = std::find_if(found, end, [found](const StackFrame& frame) {
    return !frame.file.empty() && frame.module != found->module && is_programs(frame);
  });
  return better == end ? found : better;
}

}  // namespace

std::size_t shown_frame(std::span<const StackFrame> stack) {
  // main() calls all tests: it did nothing in particular.
  const auto runner = std::find_if(stack.rbegin(), stack.rend(), runs_tests);
  const auto end = runner == stack.rend() ? stack.end() : runner.base() - 1;
  auto found = with_lines(std::find_if(stack.begin(), end, is_programs), end);
  if (found == end && end != stack.end()) {
    found = std::find_if(stack.begin(), end + 1, is_frameworks);
  }
  return found == stack.end() ? 0 : static_cast<std::size_t>(found - stack.begin());
}

bool is_agents(std::span<const StackFrame> stack) {
  for (const StackFrame& frame : stack) {
    if (frame.module.starts_with(kAgent)) return true;
    if (is_programs(frame)) return false;
  }
  return false;
}

Site site_of(std::vector<StackFrame> stack, std::uint64_t times) {
  Site site;
  site.shown = shown_frame(stack);
  site.stack = std::move(stack);
  site.times = times;
  return site;
}

}  // namespace gordian
