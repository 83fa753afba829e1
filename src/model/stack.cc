// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "model/stack.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>
#include <utility>

#include "frameworks/framework_traits.h"

namespace gordian {
namespace {

constexpr std::array<std::string_view, 11> kLibraries = {
    "libc.so",    "libc-",    "libstdc++", "libc++",           "libm.so",   "libgcc_s",
    "libpthread", "ld-linux", "libdl.so",  "libgordian-agent", "linux-vdso"};
constexpr std::array<std::string_view, 3> kNamespaces = {"std::", "__gnu_cxx::", "__cxxabiv1::"};

bool is_library_header(std::string_view file) {
  return starts_with_any(file, std::array<std::string_view, 2>{"/usr/include/", "/usr/lib/"}) ||
         file.find("/include/c++/") != std::string_view::npos;
}

bool is_test_body(std::string_view name) {
  return any_framework(
      [&](const FrameworkTraits& f) { return f.is_test_body != nullptr && f.is_test_body(name); });
}

/// "gtest-all.cc", "gmock-matchers.h", but not "gmock-matchers_test.cc".
bool is_framework_file_name(std::string_view file) {
  const std::string_view base = file.substr(file.rfind('/') + 1);  // npos + 1 is 0
  const std::string_view stem = base.substr(0, base.rfind('.'));
  if (stem.ends_with("_test") || stem.ends_with("_unittest")) return false;
  return any_framework(
      [&](const FrameworkTraits& f) { return starts_with_any(stem, f.file_stems); });
}

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

bool is_in_framework_namespace(std::string_view name) {
  return any_framework(
      [&](const FrameworkTraits& f) { return starts_with_any(name, f.namespaces); });
}

bool is_in_framework_folder(std::string_view file) {
  auto holds = [file](std::string_view folder) {
    return file.find(folder) != std::string_view::npos;
  };
  return any_framework([&](const FrameworkTraits& f) {
    return std::any_of(f.folders.begin(), f.folders.end(), holds);
  });
}

bool is_framework_source(std::string_view file) {
  return is_in_framework_folder(file) || is_framework_file_name(file);
}

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

FrameOwner frame_owner(const StackFrame& frame) {
  if (frame.module.empty() && frame.function.empty()) return FrameOwner::system;
  if (starts_with_any(frame.module, kLibraries) || frame.module == "[vdso]") {
    return FrameOwner::system;
  }
  if (any_framework([&](const auto& f) { return starts_with_any(frame.module, f.libraries); })) {
    return FrameOwner::framework;
  }
  const std::string_view name = without_return_type(frame.function);
  const std::string file = std::filesystem::path(frame.file).lexically_normal().string();
  if (is_in_framework_namespace(name)) {
    const bool of_program = !file.empty() && !is_framework_source(file) && !is_library_header(file);
    return of_program || is_test_body(name) ? FrameOwner::program : FrameOwner::framework;
  }
  if (any_framework([&](const auto& f) { return starts_with_any(name, f.entry_points); })) {
    return FrameOwner::framework;
  }
  if (is_library_header(file)) return FrameOwner::system;
  return starts_with_any(name, kNamespaces) ? FrameOwner::system : FrameOwner::program;
}

Framework framework_of(const StackFrame& frame) {
  const std::string_view name = without_return_type(frame.function);
  for (const FrameworkTraits* f : all_frameworks()) {
    if (starts_with_any(frame.module, f->libraries) || starts_with_any(name, f->namespaces) ||
        starts_with_any(name, f->entry_points)) {
      return f->framework;
    }
  }
  return Framework::unknown;
}

bool runs_tests(const StackFrame& frame) {
  const std::string_view name = without_return_type(frame.function);
  return any_framework([&](const FrameworkTraits& f) { return starts_with_any(name, f.runners); });
}

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

bool is_of_test(const StackFrame& frame, const Test& test) {
  return any_framework([&](const FrameworkTraits& f) {
    return f.functions_of != nullptr &&
           frame.function.find(f.functions_of(test)) != std::string::npos;
  });
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
