// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "report/stack_fold.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "base/text.h"
#include "model/stack.h"
#include "report/outcome_text.h"
#include "report/text.h"

namespace gordian {
namespace {

constexpr std::size_t kMostLines = 8;

/// Names that the standard library only writes out for the linker.
std::string plain_function(std::string text) {
  replace_all(text,
              "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >",
              "std::string");
  replace_all(text, "std::__cxx11::", "std::");
  replace_all(text, "[abi:cxx11]", "");
  return text;
}

bool is_libcxx(std::string_view function) {
  return function.find("std::__1::") != std::string_view::npos;
}

std::string library_name(std::string_view module) {
  if (module.empty()) return "unknown code";
  return std::string(module.substr(0, module.find(".so")));
}

/// "" for a frame of the program itself. Its own shared libraries have sources of the user; the
/// standard library's templates are in the program's module, but not in its sources.
std::string library_of(const StackFrame& frame, std::string_view program) {
  const bool elsewhere = frame.module != program;
  switch (frame_owner(frame)) {
    case FrameOwner::framework:
      return std::string(to_string(framework_of(frame)));
    case FrameOwner::system:
      if (!elsewhere) return is_libcxx(frame.function) ? "libc++" : "libstdc++";
      return library_name(frame.module);
    case FrameOwner::program:
      break;
  }
  return elsewhere && frame.file.empty() ? library_name(frame.module) : std::string();
}

void add_folded(std::vector<StackLine>& lines, std::string library) {
  const bool same = !lines.empty() && lines.back().frame == nullptr;
  if (!same || lines.back().library != library) lines.push_back({nullptr, 0, std::move(library)});
  ++lines.back().folded;
}

}  // namespace

std::vector<StackLine> callers(const Site& site) {
  std::vector<StackLine> lines;
  if (site.shown >= site.stack.size() || runs_tests(site.stack[site.shown])) return lines;
  const std::string& program = site.stack[site.shown].module;
  for (std::size_t i = site.shown + 1; i < site.stack.size(); ++i) {
    const StackFrame& frame = site.stack[i];
    if (runs_tests(frame) || site.stack[i - 1].function == "main") break;
    std::string library = library_of(frame, program);
    if (library.empty()) {
      lines.push_back({&frame, 0, {}});
    } else {
      add_folded(lines, std::move(library));
    }
  }
  while (!lines.empty() && lines.back().frame == nullptr) lines.pop_back();  // how it was started
  if (lines.size() <= kMostLines) return lines;
  StackLine rest;
  for (std::size_t i = kMostLines - 1; i < lines.size(); ++i) {
    rest.folded += std::max<std::size_t>(lines[i].folded, 1);
  }
  lines.resize(kMostLines - 1);
  lines.push_back(std::move(rest));
  return lines;
}

StackLine inner_frames(const Site& site) {
  StackLine line;
  if (site.shown == 0 || site.shown >= site.stack.size()) return line;
  line.folded = site.shown;
  line.frame = &site.stack[site.shown - 1];  // the one that the program called
  line.library = library_of(*line.frame, site.stack[site.shown].module);
  return line;
}

std::string place_text(const std::string& file, int line) {
  const std::filesystem::path path = file;
  return location_text(path.lexically_normal().string(), line);
}

std::string short_function(const StackFrame& frame) {
  const std::string name = plain_function(std::string(without_return_type(frame.function)));
  std::string out;
  int depth = 0;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const bool is_operator = std::string_view(out).ends_with("operator");  // operator<, operator()
    const char c = name[i];
    if (c == '<' && !is_operator && ++depth == 1) out += "<...>";
    if (c == '(' && !is_operator && depth == 0) break;
    if (depth == 0) out += c;
    if (c == '>' && depth > 0) --depth;
  }
  return sanitize_line(out);
}

std::string frame_text(const StackFrame& frame) {
  std::string place = place_text(frame.file, frame.line);
  std::string function = sanitize_line(plain_function(frame.function));
  if (place.empty() && function.empty()) return fmt::format("{:#x}", frame.address);
  if (place.empty()) return function;
  return function.empty() ? place : fmt::format("{} in {}", place, function);
}

std::string folded_text(const StackLine& line) {
  if (line.library.empty()) return fmt::format("... {} more frames", line.folded);
  return fmt::format("... {} {} of {}", line.folded, line.folded == 1 ? "frame" : "frames",
                     sanitize_line(line.library));
}

}  // namespace gordian
