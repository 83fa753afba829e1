// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "symbols/stack_owner.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace gordian {
namespace {

constexpr std::string_view kAgent = "libgordian-agent";
constexpr std::array<std::string_view, 13> kLibraries = {
    "libc.so",    "libc-",    "libstdc++", "libc++",           "libgtest",   "libgmock", "libm.so",
    "libpthread", "libgcc_s", "ld-linux",  "libgordian-agent", "linux-vdso", "[vdso]"};
constexpr std::array<std::string_view, 2> kHeaderRoots = {"/usr/include/", "/usr/lib/"};
constexpr std::array<std::string_view, 4> kNamespaces = {
    "std::", "__gnu_cxx::", "testing::", "__cxxabiv1::"};

template <std::size_t N>
bool starts_with_any(std::string_view text, const std::array<std::string_view, N>& prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [&](std::string_view prefix) { return text.starts_with(prefix); });
}

/// "void std::fill<int>(int*)" -> "std::fill<int>(int*)": instances of templates carry their return
/// type, which says nothing about whose function it is.
std::string_view without_return_type(std::string_view function) {
  constexpr std::string_view kAnonymous = "(anonymous namespace)";
  int depth = 0;
  std::size_t start = 0;
  for (std::size_t i = 0; i < function.size(); ++i) {
    if (function.substr(i).starts_with(kAnonymous)) {
      i += kAnonymous.size() - 1;
      continue;
    }
    // Past this word, < and ( are names.
    if (depth == 0 && function.substr(i).starts_with("operator")) break;
    const char c = function[i];
    if (c == '<') ++depth;
    if (c == '>') --depth;
    if (c == '(' && depth == 0) break;
    if (c == ' ' && depth == 0) start = i + 1;
  }
  return function.substr(start);
}

}  // namespace

bool is_system_frame(const StackFrame& frame) {
  if (frame.module.empty() && frame.function.empty()) return true;  // nowhere that has a name
  return starts_with_any(frame.module, kLibraries) || starts_with_any(frame.file, kHeaderRoots) ||
         frame.file.find("/include/c++/") != std::string::npos ||
         starts_with_any(without_return_type(frame.function), kNamespaces);
}

bool is_framework_frame(const StackFrame& frame) {
  constexpr std::array<std::string_view, 3> kModules = {"libgtest", "libgmock", "libgordian-agent"};
  return starts_with_any(frame.module, kModules) ||
         without_return_type(frame.function).starts_with("testing::");
}

bool is_framework_frame(const StackFrame& frame) {
  constexpr std::array<std::string_view, 3> kModules = {"libgtest", "libgmock", "libgordian-agent"};
  return starts_with_any(frame.module, kModules) ||
         without_return_type(frame.function).starts_with("testing::");
}

std::size_t shown_frame(std::span<const StackFrame> stack) {
  auto found = std::find_if_not(stack.begin(), stack.end(), is_system_frame);
  if (found == stack.end()) return 0;
  // A library of somebody else, without lines: who called it is of more use.
  auto with_lines = std::find_if(found, stack.end(), [&found](const StackFrame& frame) {
    return !frame.file.empty() && frame.module != found->module && !is_system_frame(frame);
  });
  if (found->file.empty() && with_lines != stack.end()) found = with_lines;
  return static_cast<std::size_t>(found - stack.begin());
}

bool is_agents(std::span<const StackFrame> stack) {
  for (const StackFrame& frame : stack) {
    if (frame.module.starts_with(kAgent)) return true;
    if (!is_system_frame(frame)) return false;
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
