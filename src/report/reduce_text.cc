// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <fmt/format.h>

#include "report/columns.h"
#include "report/detect_flow.h"
#include "report/detect_words.h"
#include "report/rank_text.h"
#include "report/rank_words.h"
#include "report/text.h"
#include "report/units.h"

namespace gordian {
namespace {

using Rows = std::vector<std::vector<std::string>>;

std::string closing_sentence(const std::string& text, const Style& style) {
  return FlowLine(0, 2).sentence(text).render(style);
}

/// "-72 %": what is saved of `all`.
std::string saved(double all, double now) {
  return all > 0 ? fmt::format("{:+.0f} %", 100 * (now - all) / all) : "";
}

double count(std::chrono::nanoseconds time) {
  return static_cast<double>(time.count());
}

std::string size_sentence(const ReduceFacts& facts, const Style& style) {
  return closing_sentence(
      fmt::format(
          "Reduced from {} to {} ({}), which cover {} of {}.",
          count_of(facts.of.tests.size(), "test"), thousands(facts.kept()),
          saved(static_cast<double>(facts.of.tests.size()), static_cast<double>(facts.kept())),
          thousands(facts.statements_of_kept), count_of(facts.statements_of_all, "statement")),
      style);
}

std::string kept_for_others(const ReduceFacts& facts, const Style& style) {
  if (facts.kept_for_them.empty()) return {};
  FlowLine line(0, 2);
  line.sentence("Kept besides, because others depend on them:").word("");
  add_names(line, facts.kept_for_them, facts.of.suite, "and");
  return line.glue(".").render(style);
}

/// The first row is what all others are compared with.
std::string time_table(const ReduceFacts& facts) {
  if (facts.times.empty()) return {};
  const double base = count(facts.times.front().all);
  Rows rows = {{"isolation", "all tests", "", "reduced", ""}};
  for (const ReducedTime& time : facts.times) {
    std::string name(to_string(time.asked));
    if (time.used != time.asked) name += fmt::format(" ({})", to_string(time.used));
    const bool first = &time == &facts.times.front();
    rows.push_back({name, human_duration(time.all), first ? "" : saved(base, count(time.all)),
                    human_duration(time.reduced), saved(base, count(time.reduced))});
  }
  return columns(rows);
}

std::string fault_lines(const ReduceFacts& facts, const Style& style) {
  if (facts.faults_file.empty()) return {};
  std::size_t found = 0, kept = 0, run = 0;
  std::string text;
  for (const SeededFault& fault : facts.faults) {
    const std::string name = sanitize_line(fault.name);
    if (!fault.trouble.empty()) {
      text +=
          FlowLine(2, 4).word(name).glue(":").sentence(sanitize_line(fault.trouble)).render(style);
      continue;
    }
    ++run, found += fault.found_by.empty() ? 0 : 1, kept += fault.found_by_reduced.empty() ? 0 : 1;
    if (fault.found_by.empty() || !fault.found_by_reduced.empty()) continue;
    FlowLine line(2, 4);
    line.word("lost:", Ink::red).word(name).glue(",").sentence("which all tests find by").word("");
    add_names(line, fault.found_by, facts.of.suite, "and");
    text += line.render(style);
  }
  return closing_sentence(
             fmt::format("Of {} that were run, all tests find {} and the reduced ones {}.",
                         count_of(run, "fault"), found, kept),
             style) +
         text;
}

}  // namespace

std::string reduce_text(const ReduceFacts& facts, const Style& style) {
  std::string text = FlowLine(0, 2)
                         .word("")
                         .name(sanitize_line(facts.of.target.binary.string()), Ink::bold)
                         .glue(":")
                         .sentence(count_of(facts.of.tests.size(), "test"))
                         .render(style);
  text += coverage_sentence(facts.coverage, style);
  text += size_sentence(facts, style);
  text += kept_for_others(facts, style);
  text += aware_lines(facts.order, facts.of.suite, style);
  text += checked_lines(facts.order, facts.of.suite, style);
  text += time_table(facts);
  text += fault_lines(facts, style);
  text += notice_lines(facts.notices, style);
  return text + files_lines(facts.files, facts.of, style);
}

}  // namespace gordian
