// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "base/enum_words.h"
#include "report/explain_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "base/text.h"
#include "model/stack.h"
#include "report/outcome_text.h"
#include "report/text.h"
#include "state/kinds/state_kinds.h"

namespace gordian {
namespace {

constexpr int kLongestInSentence = 40;  // a longer value makes a sentence unreadable

std::string value_text(const std::optional<std::string>& value, CarrierKind kind) {
  return value ? sanitize_line(*value) : std::string(row_of(kind).absence);
}

/// "g_balance reset to 0", "LANG unset", "the working directory put back".
std::string reset_text(const Carrier& carrier) {
  const std::string name = sanitize_line(carrier.key.text());
  if (!carrier.old_value) return fmt::format("{} {}", name, row_of(carrier.key.kind()).restored);
  const std::string old = sanitize_line(*carrier.old_value);
  if (old.empty() || display_width(old) > kLongestInSentence) return name + " put back";
  return fmt::format("{} reset to {}", name, old);
}

/// "after A.B", "after A.B and C.D", "after these tests", "between its two runs".
std::string moment_text(const Dependence& dependence, const Suite& suite) {
  if (dependence.role == Role::self_dependent) return "between its two runs";
  if (dependence.by.size() == 1) {
    return "after " + printable_name(suite.test(dependence.by.front()));
  }
  return fmt::format("after these {} tests", dependence.by.size());
}

/// What the test then does: its result alone, or a pass after what it needs.
std::string then_text(const Dependence& dependence) {
  if (!dependence.passes_after.empty()) return "passes";
  constexpr EnumWords<OutcomeKind, 4> kWords = {{{OutcomeKind::pass, "passes"},
                                                 {OutcomeKind::fail, "fails as alone"},
                                                 {OutcomeKind::skip, "skips itself"},
                                                 {OutcomeKind::crash, "crashes as alone"}}};
  for (const auto& [kind, word] : kWords) {
    if (kind == dependence.alone.kind) return std::string(word);
  }
  return "has its result alone";
}

/// The text has the noun in it already, which need not be said twice.
bool has_noun(const std::string& text, std::string_view noun) {
  return text.find(noun) != std::string::npos;
}

std::string role_count(Role role, std::size_t count) {
  return count_of(count, role == Role::victim    ? "victim"
                         : role == Role::brittle ? "brittle test"
                                                 : "self-dependent test");
}

constexpr std::size_t kMostCallers = 8;

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

std::string carrier_details(const Carrier& carrier) {
  std::string text;
  auto add = [&text](std::string_view part) {
    if (part.empty()) return;
    if (!text.empty()) text += ", ";
    text += part;
  };
  const StateKindRow& kind = row_of(carrier.key.kind());
  const bool has_it = has_noun(carrier.key.text(), kind.noun);  // "the working directory"
  if (kind.kind != CarrierKind::variable && !has_it) add(kind.noun);
  add(sanitize_line(carrier.type));
  add(place_text(carrier.file, carrier.line));
  return text.empty() ? text : "(" + text + ")";
}

std::string values_text(const Carrier& carrier, int indent, const Style& style) {
  if (!carrier.old_value && !carrier.new_value) return {};
  std::string before = value_text(carrier.old_value, carrier.key.kind());
  std::string after = value_text(carrier.new_value, carrier.key.kind());
  if (style.width > 0) {
    constexpr int kArrow = 4;
    const int room = std::max(style.width - 1 - indent - kArrow, 20);
    const int fair = room / 2, need = display_width(before), other = display_width(after);
    // A short one leaves its room to the other.
    before = truncate_end(before, std::max(fair, room - other), style.ellipsis());
    after = truncate_end(after, std::max(fair, room - need), style.ellipsis());
  }
  return before + " -> " + after;
}

std::string proof_text(const Dependence& dependence, const Explanation& explanation,
                       const Suite& suite) {
  std::vector<std::string> resets;
  for (const Carrier& carrier : explanation.carriers) {
    if (carrier.proved) resets.push_back(reset_text(carrier));
  }
  std::string times = explanation.proofs == 1
                          ? std::string("one run")
                          : fmt::format("{} runs, always the same", explanation.proofs);
  std::string text = fmt::format("with {} {} the test {} ({})", enumeration(resets),
                                 moment_text(dependence, suite), then_text(dependence), times);
  if (resets.size() > 1) text += "; it takes all of them";
  return text;
}

std::string no_proof_text(const Explanation& explanation) {
  std::string why = sanitize_line(explanation.why_not);
  if (why.empty()) why = "no reason is known";
  return (explanation.carriers.empty() ? "not explained: " : "suspected, not proved: ") + why;
}

std::string group_text(const std::vector<Role>& roles, const std::vector<Carrier>& carriers) {
  std::vector<std::string> counts, names;
  for (Role role : {Role::victim, Role::brittle, Role::self_dependent}) {
    const auto count = std::count(roles.begin(), roles.end(), role);
    if (count > 0) counts.push_back(role_count(role, static_cast<std::size_t>(count)));
  }
  bool one_kind = true;
  for (const Carrier& carrier : carriers) {
    one_kind = one_kind && carrier.key.kind() == carriers.front().key.kind();
    names.push_back(sanitize_line(carrier.key.text()));
  }
  std::string what = "carriers";
  if (one_kind && carriers.size() == 1) what = row_of(carriers.front().key.kind()).noun;
  if (one_kind && carriers.size() > 1 && carriers.front().key.kind() == CarrierKind::variable) {
    what = "variables";
  }
  return fmt::format("{}, {} {}: {}", enumeration(counts), carriers.size(), what,
                     enumeration(names));
}

std::string explained_sentence(std::span<const Explanation* const> explanations) {
  std::size_t proved = 0, suspected = 0;
  for (const Explanation* explanation : explanations) {
    if (explanation->proved) ++proved;
    if (!explanation->proved && !explanation->carriers.empty()) ++suspected;
  }
  const std::size_t rest = explanations.size() - proved - suspected;
  std::vector<std::string> parts;
  if (proved > 0) parts.push_back(fmt::format("{} explained with proof", proved));
  if (suspected > 0) parts.push_back(fmt::format("{} suspected", suspected));
  if (rest > 0) parts.push_back(fmt::format("{} not explained", rest));
  return fmt::format("{}: {}.", count_of(explanations.size(), "dependence"),
                     fmt::join(parts, ", "));
}

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
  if (lines.size() <= kMostCallers) return lines;
  StackLine rest;
  for (std::size_t i = kMostCallers - 1; i < lines.size(); ++i) {
    rest.folded += std::max<std::size_t>(lines[i].folded, 1);
  }
  lines.resize(kMostCallers - 1);
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
