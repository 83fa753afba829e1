// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "report/outcome_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>
#include <utility>
#include <vector>

#include "base/text.h"
#include "frameworks/framework_traits.h"
#include "model/stack.h"
#include "report/text.h"

namespace gordian {
namespace {

// Below the bracket that opens the duration.
constexpr std::string_view kStackIndent = "          ";
constexpr std::string_view kDeepIndent = "            ";
constexpr ExcerptLimits kShort = {40, 500};
constexpr std::size_t kMaxFrames = 20;
constexpr std::size_t kMostMessageLines = 6;

std::string crash_frame_text(const StackFrame& frame) {
  std::string where = location_text(frame.file, frame.line);
  std::string what =
      frame.function.empty() ? fmt::format("{:#x}", frame.address) : sanitize_line(frame.function);
  if (!where.empty()) return fmt::format("{} at {}", what, where);
  return frame.module.empty() ? what : fmt::format("{} in {}", what, sanitize_line(frame.module));
}

/// Without the frames that call every test alike, if something of the test is left then.
std::size_t frames_of_interest(const std::vector<StackFrame>& stack) {
  auto caller = std::find_if(stack.begin(), stack.end(), runs_tests);
  auto shown = static_cast<std::size_t>(caller - stack.begin());
  return std::min(shown == 0 ? stack.size() : shown, kMaxFrames);
}

std::string stack_text(const std::vector<StackFrame>& stack, bool verbose) {
  std::size_t shown = verbose ? stack.size() : frames_of_interest(stack);
  std::string out;
  for (std::size_t i = 0; i < shown; ++i) {
    out += fmt::format("{}#{:<2} {}\n", kDeepIndent, i, crash_frame_text(stack[i]));
  }
  if (shown < stack.size()) {
    out += fmt::format("{}[{} more, --verbose shows all]\n", kDeepIndent,
                       count_of(stack.size() - shown, "frame"));
  }
  return out;
}

std::string heading(std::string_view text, const Style& style) {
  return fmt::format("{}{}\n", kStackIndent, paint(text, Ink::dim, style.color));
}

std::string output_text(const TestRun& run, const Style& style, bool verbose) {
  if (run.output.empty()) return {};
  std::string title =
      fmt::format("output ({}{}):", count_of(split_lines(run.output).size(), "line"),
                  run.output_truncated ? ", the rest was not kept" : "");
  return heading(title, style) +
         excerpt(run.output, kDeepIndent, verbose ? ExcerptLimits{} : kShort);
}

/// The failing check; a crash has none, so the test itself is the next best place to look.
/// The framework prints the failure too, with its place in the line before; we have shown both.
TestRun without_repetition(TestRun run) {
  const std::string& message = run.outcome.message;
  const std::size_t at = message.empty() ? std::string::npos : run.output.find(message);
  if (at == std::string::npos || at == 0) return run;
  const std::size_t head = run.output.rfind('\n', at - 2);
  const std::size_t begin = head == std::string::npos ? 0 : head + 1;
  const std::string_view line = std::string_view(run.output).substr(begin, at - begin);
  const bool is_head = any_framework([line](const FrameworkTraits& traits) {
    return !traits.failure_head.empty() && line.ends_with(traits.failure_head);
  });
  if (!is_head) return run;
  run.output.erase(begin, at + message.size() - begin);
  if (run.output.find_first_not_of("\n ") == std::string::npos) run.output.clear();
  return run;
}

std::string failure_place(const Outcome& outcome, const Test& test) {
  std::string place = location_text(outcome.file, outcome.line);
  return place.empty() ? location_text(test.file, test.line) : place;
}

struct OutcomeRow {
  OutcomeKind kind;
  StatusWord status;
  int OutcomeCounts::*count;
};
constexpr std::array kOutcomeRows = {
    OutcomeRow{OutcomeKind::pass, {"PASS", Ink::green}, &OutcomeCounts::pass},
    OutcomeRow{OutcomeKind::fail, {"FAIL", Ink::red}, &OutcomeCounts::fail},
    OutcomeRow{OutcomeKind::skip, {"SKIP", Ink::yellow}, &OutcomeCounts::skip},
    OutcomeRow{OutcomeKind::crash, {"CRASH", Ink::red}, &OutcomeCounts::crash},
    OutcomeRow{OutcomeKind::timeout, {"TIMEOUT", Ink::red}, &OutcomeCounts::timeout},
    OutcomeRow{OutcomeKind::exit, {"EXIT", Ink::red}, &OutcomeCounts::exit},
    OutcomeRow{OutcomeKind::not_run, {"NOT RUN", Ink::yellow}, &OutcomeCounts::not_run},
    OutcomeRow{OutcomeKind::lost, {"LOST", Ink::red}, &OutcomeCounts::lost},
};

const OutcomeRow& outcome_row(OutcomeKind kind) {
  const auto* found = std::find_if(kOutcomeRows.begin(), kOutcomeRows.end(),
                                   [kind](const OutcomeRow& row) { return row.kind == kind; });
  return found == kOutcomeRows.end() ? kOutcomeRows.back() : *found;
}

}  // namespace

std::string folded_message(const std::string& message) {
  std::vector<std::string_view> lines = split_lines(message);
  std::string text;
  for (std::size_t i = 0; i < std::min(lines.size(), kMostMessageLines); ++i) {
    const std::string line = trimmed(lines[i], " \t\r");
    if (line.empty()) continue;
    if (!text.empty()) text += text.ends_with(':') ? " " : " | ";
    text += line;
  }
  if (lines.size() > kMostMessageLines) text += " | ...";
  return sanitize_line(text);
}

StatusWord status_word(OutcomeKind kind) {
  return outcome_row(kind).status;
}

std::string location_text(std::string_view file, int line) {
  if (file.empty()) return {};
  return line > 0 ? fmt::format("{}:{}", sanitize_line(file), line) : sanitize_line(file);
}

std::string printable_name(const Test& test) {
  return sanitize_line(test.full_name());
}

std::string ending_text(const Outcome& outcome) {
  switch (outcome.kind) {
    case OutcomeKind::crash: {
      const char* words = ::sigdescr_np(outcome.signal);
      std::string name = signal_name(outcome.signal);
      return words == nullptr ? name : fmt::format("{} ({})", name, words);
    }
    case OutcomeKind::exit:
      return fmt::format("the test exited with code {}", outcome.exit_code);
    case OutcomeKind::timeout:
      return "no result within its time limit";
    case OutcomeKind::lost:
      return "Gordian lost this result";
    default:
      return {};
  }
}

std::string leaks_text(const Leaks& leaks) {
  std::string what;
  if (leaks.threads > 0) what = count_of(static_cast<std::uint64_t>(leaks.threads), "thread");
  if (leaks.children > 0) {
    if (!what.empty()) what += " and ";
    what +=
        count_of(static_cast<std::uint64_t>(leaks.children), "child process", "child processes");
  }
  return what.empty() ? what : fmt::format("left {} running", what);
}

std::string status_line(StatusWord status, std::chrono::nanoseconds duration, std::string_view name,
                        std::string_view remark, const Style& style) {
  StyledLine line;
  line.add(fmt::format("{:>{}}", status.word, kStatusWidth), status.ink);
  line.add(fmt::format(" [{}] ", column_duration(duration))).add(name);
  if (!remark.empty()) line.add(fmt::format(" ({})", remark), Ink::dim);
  return line.render(style);
}

std::string still_running_line(std::chrono::nanoseconds elapsed, std::string_view name,
                               const Style& style) {
  StyledLine line;
  line.add(fmt::format("{:>{}}", "SLOW", kStatusWidth), Ink::yellow);
  line.add(fmt::format(" [>{:>9}] ", human_elapsed(elapsed))).add(name);
  return line.add(" (still running)", Ink::dim).render(style);
}

std::string failure_block(const TestRun& run, const Test& test, const Style& style, bool verbose) {
  const Outcome& outcome = run.outcome;
  std::string out =
      status_line(status_word(outcome.kind), run.duration, printable_name(test), "", style) + "\n";
  auto add_line = [&out](std::string_view text) {
    if (!text.empty()) out += fmt::format("{}{}\n", kStackIndent, text);
  };
  add_line(paint(failure_place(outcome, test), Ink::cyan, style.color));
  add_line(ending_text(outcome));
  out += excerpt(outcome.message, kDeepIndent, verbose ? ExcerptLimits{} : kShort);
  if (!run.stack.empty()) out += heading("stack:", style) + stack_text(run.stack, verbose);
  add_line(leaks_text(run.leaks));
  return out + output_text(verbose ? run : without_repetition(run), style, verbose);
}

std::string failure_headline(const TestRun& run, const Test& test) {
  std::string what = ending_text(run.outcome);
  if (!run.outcome.message.empty()) {
    if (!what.empty()) what += ": ";
    what += folded_message(run.outcome.message);
  }
  std::string place = failure_place(run.outcome, test);
  if (place.empty() || what.empty()) return place + what;
  return fmt::format("{}: {}", place, what);
}

void add_outcome(OutcomeCounts& counts, OutcomeKind kind) {
  ++(counts.*outcome_row(kind).count);
}

StyledLine counts_line(const OutcomeCounts& counts, CountDetail detail, int slow) {
  auto number = [](int n) { return thousands(static_cast<std::uint64_t>(n)); };
  StyledLine line;
  line.add(number(counts.pass) + " passed", counts.pass > 0 ? Ink::green : Ink::plain);
  if (slow > 0) line.add(" (").add(number(slow) + " slow", Ink::yellow).add(")");
  if (counts.failures() > 0) {
    line.add(", ").add(number(counts.failures()) + " failed", Ink::red);
    std::string kinds;
    for (auto [n, word] : {std::pair{counts.crash, "crashed"},
                           {counts.timeout, "timed out"},
                           {counts.exit, "exited"},
                           {counts.lost, "lost"}}) {
      if (n > 0) kinds += fmt::format("{}{} {}", kinds.empty() ? "" : ", ", number(n), word);
    }
    if (detail == CountDetail::with_kinds && !kinds.empty()) line.add(fmt::format(" ({})", kinds));
  }
  if (counts.skip > 0) line.add(", ").add(number(counts.skip) + " skipped", Ink::yellow);
  return line;
}

}  // namespace gordian
