// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "report/detect_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "report/outcome_text.h"
#include "report/text.h"

namespace gordian {
namespace {

constexpr std::string_view kUsualDb = ".gordian/gordian.db";  // found without being named

/// What a test with this result does. `other` is the result it is held against.
std::string verb(const Outcome& outcome, const Outcome& other) {
  switch (outcome.kind) {
    case OutcomeKind::pass:
      return "passes";
    case OutcomeKind::fail:
      return other.kind == OutcomeKind::fail ? "fails differently" : "fails";
    case OutcomeKind::skip:
      return "skips itself";
    case OutcomeKind::crash:
      return "crashes with " + signal_name(outcome.signal);
    case OutcomeKind::timeout:
      return "times out";
    case OutcomeKind::exit:
      return fmt::format("exits with code {}", outcome.exit_code);
    case OutcomeKind::not_run:
      return "does not run";
    case OutcomeKind::lost:
      break;
  }
  return "loses its result";
}

std::string stored_command(std::string_view command, const Dependence& dependence,
                           const DetectFacts& facts) {
  if (facts.db.empty()) return {};
  std::string text = fmt::format("gordian {} {}", command, to_string(dependence.id));
  if (facts.db != kUsualDb) text += " --db " + shell_word(facts.db);
  return text;
}

}  // namespace

std::string_view role_word(Role role) {
  return role == Role::self_dependent ? "self-dependent" : to_string(role);
}

std::string replay_command(const Dependence& dependence, const DetectFacts& facts) {
  return stored_command("replay", dependence, facts);
}

std::string explain_command(const Dependence& dependence, const DetectFacts& facts) {
  return stored_command("explain", dependence, facts);
}

std::string fix_command(const Dependence& dependence, const DetectFacts& facts) {
  return stored_command("fix", dependence, facts);
}

std::string order_file_command(const DetectFacts& facts) {
  std::string command = "gordian run --isolate none --order FILE " + shell_word(binary_text(facts));
  command += facts.suite.runtime().level_option;
  if (!facts.target.args.empty()) command += " --";
  for (const std::string& arg : facts.target.args) command += " " + shell_word(arg);
  return command;
}

std::string misbehaviour(const Dependence& dependence) {
  const bool brittle = dependence.role == Role::brittle;
  const Outcome& bad = brittle ? dependence.alone : dependence.witnessed;
  return verb(bad, brittle ? passed() : good_result(dependence));
}

FlowLine labelled_line(std::string_view label, int indent, int width) {
  FlowLine line(indent, indent + width);
  line.glue(fmt::format("{:<{}}", label, width), Ink::dim);
  return line;
}

void add_claim(FlowLine& line, const Dependence& dependence, const Suite& suite,
               std::string_view gap) {
  const bool brittle = dependence.role == Role::brittle;
  const std::string does = misbehaviour(dependence);
  if (dependence.role == Role::self_dependent) {
    line.word(does + " when run twice", Ink::plain, gap);
    return;
  }
  line.word(does + (brittle ? " unless" : " after") + "  ", Ink::plain, gap);
  add_names(line, dependence.by, suite, "and");
  bool several = dependence.by.size() > 1;
  if (brittle) {
    line.word(several ? "run before it" : "runs before it", Ink::plain, "  ");
  } else if (several) {
    line.word("together");
  }
}

FlowLine dependence_headline(const Dependence& dependence, const Suite& suite) {
  FlowLine line(0, 4);
  line.glue(to_string(dependence.id), Ink::bold).glue("  ");
  line.name(printable_name(suite.test(dependence.test)), Ink::bold);
  add_claim(line, dependence, suite, "  ");
  return line;
}

void add_result(FlowLine& line, const Outcome& outcome, const Style& style) {
  StatusWord status = status_word(outcome.kind);
  bool calm = outcome.kind == OutcomeKind::pass || outcome.kind == OutcomeKind::skip;
  line.glue(calm ? to_string(outcome.kind) : status.word, status.ink);
  if (outcome.kind == OutcomeKind::pass) return;
  std::string place = location_text(outcome.file, outcome.line);
  if (!place.empty()) line.glue("  ").name(place, Ink::cyan);
  std::string what = ending_text(outcome), message = folded_message(outcome.message);
  if (!what.empty() && !message.empty()) what += ": ";
  what += message;
  if (style.width > 0)
    what = truncate_end(what, std::max(2 * style.width - 60, 20), style.ellipsis());
  if (!what.empty()) line.glue(" ").sentence(what);
}

void add_names(FlowLine& line, const std::vector<TestId>& tests, const Suite& suite,
               std::string_view last) {
  std::size_t shown = std::min(tests.size(), kMostNames);
  for (std::size_t i = 0; i < shown; ++i) {
    bool with_word = last != "," && i > 0 && i + 1 == tests.size();
    if (i > 0 && !with_word) line.glue(",").word("");
    if (with_word) line.word(last).glue(" ");
    line.name(printable_name(suite.test(tests[i])), Ink::bold);
  }
  if (shown < tests.size()) line.word(fmt::format("and {} more", thousands(tests.size() - shown)));
}

/// "fails" where it also passes; else there are only different ways to fail.
static std::string fresh_rates_text(const NondeterministicTest& test) {
  int after = test.differ, alone = test.alone_differ;
  std::string verb = "fails";
  if (test.usual.kind != OutcomeKind::pass) {
    after = test.runs - after, alone = test.alone_runs - alone;
    if (test.other.kind != OutcomeKind::pass) verb = "has its usual result";
  }
  return fmt::format(
      "{} in {} of {} fresh processes after other tests and in {} of {} alone; not counted as "
      "dependent",
      verb, after, test.runs, alone, test.alone_runs);
}

std::string nondeterminism_text(const NondeterministicTest& test) {
  if (test.in_fresh) return fresh_rates_text(test);
  Interval rate = rate_interval(test.differ, test.runs);
  return fmt::format(
      "changed its result in {} of {} runs of the same order (95 %: {:.0f} % to {:.0f} %); not "
      "counted as dependent",
      test.differ, test.runs, 100 * rate.low, 100 * rate.high);
}

std::string binary_text(const DetectFacts& facts) {
  return facts.target.binary.empty() ? facts.binary.path : facts.target.binary.string();
}

std::string budget_text(std::chrono::milliseconds budget) {
  bool plain = budget.count() % 1000 == 0 && budget <= std::chrono::minutes(2);
  return plain ? fmt::format("{} s", budget.count() / 1000) : human_duration(budget);
}

}  // namespace gordian
