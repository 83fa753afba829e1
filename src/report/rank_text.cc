// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "report/rank_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/text.h"
#include "model/dependence.h"
#include "model/rank_facts.h"
#include "report/detect_report.h"
#include "report/terminal_style.h"
#include "report/text.h"

namespace gordian {
namespace {

constexpr std::size_t kMostLines = 20;

std::string name_of(const Suite& suite, TestId test) {
  return sanitize_line(suite.test(test).full_name());
}

/// "D3", or "no dependence was found".
std::string dependence_words(DependenceId id) {
  if (is_stored(id)) return to_string(id);
  return id == kUnstored ? "a dependence that was found and not stored"
                         : "no dependence was found that says why";
}

std::string changed_line(const ChangedResult& changed, const Suite& suite, const Style& style) {
  FlowLine line(2, 6);
  if (is_stored(changed.dependence)) line.word(dependence_words(changed.dependence), Ink::bold);
  line.word("").name(name_of(suite, changed.test)).glue(":");
  line.sentence(fmt::format("{} expected,", to_string(changed.expected.kind))).word("");
  add_result(line, changed.observed, style);
  if (!is_stored(changed.dependence)) line.glue(";").sentence(dependence_words(changed.dependence));
  return line.render(style);
}

std::string list_of(const std::vector<std::pair<TestId, DependenceId>>& list, const Suite& suite,
                    const Style& style) {
  std::string text;
  for (std::size_t i = 0; i < list.size() && i < kMostLines; ++i) {
    FlowLine line(2, 6);
    line.word("").name(name_of(suite, list[i].first)).glue(",");
    line.sentence(list[i].second != kNoDependence
                      ? "because of " + dependence_words(list[i].second)
                      : std::string("because of what its authors have declared"));
    text += line.render(style);
  }
  if (list.size() > kMostLines) text += fmt::format("  and {} more\n", list.size() - kMostLines);
  return text;
}

std::string sentence(const std::string& text, const Style& style) {
  return FlowLine(0, 2).sentence(text).render(style);
}

/// "Coverage: gcc --coverage, each test alone, 1,204 statements, 210 functions; collected now."
std::string coverage_sentence(const CoverageSource& about, const Style& style) {
  if (about.source.empty()) return {};
  const std::string from = !about.file.empty() ? "from " + sanitize_line(about.file)
                           : about.age         ? "collected " + ago(*about.age)
                                               : std::string("collected now");
  std::string text =
      sentence(fmt::format("Coverage: {}, {}, {}, {}; {}.", about.source,
                           about.way == "alone" ? "each test alone" : "in the default order",
                           count_of(about.statements, "statement"),
                           count_of(about.functions, "function"), from),
               style);
  for (const std::string& notice : about.notices) {
    text += FlowLine(2, 4).sentence(sanitize_line(notice)).render(style);
  }
  return text;
}

std::string notice_lines(const std::vector<Notice>& notices, const Style& style) {
  std::string text;
  for (const Notice& notice : notices) {
    FlowLine line(0, 2);
    line.word("Notice:", notice.level == Notice::Level::warning ? Ink::yellow : Ink::dim);
    text += line.sentence(sanitize_line(notice.text)).render(style);
  }
  return text;
}

/// "All 120 results are as expected.", or what is not, with its dependence.
std::string checked_lines(const RankedOrder& order, const Suite& suite, const Style& style) {
  if (!order.checked) return {};
  const CheckedOrder& checked = *order.checked;
  std::string text;
  if (checked.changed.empty()) {
    text += sentence(
        fmt::format("Checked by a run: all {} are as expected.", count_of(checked.tests, "result")),
        style);
  } else {
    text += sentence(
        fmt::format("Checked by a run: {} of {} are not as expected, each time it was repeated:",
                    thousands(checked.changed.size()), count_of(checked.tests, "result")),
        style);
  }
  for (std::size_t i = 0; i < checked.changed.size() && i < kMostLines; ++i) {
    text += changed_line(checked.changed[i], suite, style);
  }
  if (checked.changed.size() > kMostLines) {
    text += fmt::format("  and {} more\n", checked.changed.size() - kMostLines);
  }
  for (const ChangedResult& one : checked.nondeterministic) {
    text += FlowLine(2, 6)
                .word("")
                .name(name_of(suite, one.test))
                .sentence(fmt::format("differed in {} of {} runs: non-deterministic, not counted",
                                      one.differ, one.runs))
                .render(style);
  }
  if (checked.not_reached > 0) {
    text += sentence(fmt::format("{} not reached: a test before them ended the process.",
                                 count_of(checked.not_reached, "test was", "tests were")),
                     style);
  }
  if (checked.left_out > 0) {
    text += sentence(fmt::format("{} not compared: non-deterministic, or they end the default "
                                 "order.",
                                 count_of(checked.left_out, "test was", "tests were")),
                     style);
  }
  return text;
}

/// What keeping to dependences did to the order: processes, extra runs, who could not be served.
std::string aware_lines(const RankedOrder& order, const Suite& suite, const Style& style) {
  if (!order.aware) return {};
  const AwareFacts& aware = *order.aware;
  const std::size_t extras = count_extras(order.processes);
  std::string text =
      sentence(fmt::format("Keeps to {}: {}, {}.", count_of(aware.constraints, "constraint"),
                           count_of(order.processes.size(), "process", "processes"),
                           extras == 0 ? "no test runs twice"
                                       : count_of(extras, "run") + " more, for the sake of others"),
               style);
  if (!aware.learned.empty()) {
    std::string numbers;
    for (DependenceId id : aware.learned) numbers += " " + dependence_words(id);
    text += sentence("Checking it has brought to light:" + numbers + ".", style);
  }
  if (!aware.moved.empty()) {
    text += "Not in the first process:\n" + list_of(aware.moved, suite, style);
  }
  if (!aware.impossible.empty()) {
    text += "No process could serve these, so each stands alone:\n" +
            list_of(aware.impossible, suite, style);
  }
  return text;
}

/// Where the order is, and how to run it.
std::string files_lines(const std::vector<std::string>& files, const RankedBinary& of,
                        const Style& style) {
  std::string text;
  for (const std::string& file : files) {
    text += FlowLine(0, 2)
                .word("Run it:")
                .word(fmt::format("gordian run {} --isolate none --order {}",
                                  sanitize_line(shell_word(of.target.binary.string())),
                                  sanitize_line(shell_word(file))),
                      Ink::cyan)
                .render(style);
  }
  return text;
}

using Rows = std::vector<std::vector<std::string>>;

std::string title(const std::string& what, const RankedBinary& of, const Style& style) {
  return FlowLine(0, 2)
      .sentence(what, Ink::bold)
      .sentence(fmt::format("of {},", count_of(of.tests.size(), "test")))
      .word("")
      .name(sanitize_line(of.target.binary.string()))
      .render(style);
}

std::vector<std::string> curve_row(const std::string& name, const RankedOrder& order,
                                   const RankedOrder& asked) {
  const bool functions = asked.main_units() == "functions";
  const auto& curve = functions ? order.functions : order.statements;
  if (!curve) return {name};
  auto after = [&curve](double share) { return thousands(curve->tests_to_reach(share)); };
  return {name,     thousands(joined(order.processes).size()), after(0.5), after(0.9),
          after(1), fmt::format("{:.3f}", curve->rate)};
}

/// Default order, the technique, and its aware variant, side by side.
std::string curve_table(const PrioritizeFacts& facts) {
  if (!facts.order.main_curve()) return {};
  Rows rows = {{std::string(facts.order.main_units()), "runs", "half after", "90 % after",
                "all after", "rate"}};
  rows.push_back(curve_row("default order", facts.default_order, facts.order));
  const std::string& technique = facts.order.technique;
  if (facts.unaware) rows.push_back(curve_row(technique, *facts.unaware, facts.order));
  rows.push_back(curve_row(technique + (facts.unaware ? " aware" : ""), facts.order, facts.order));
  return columns(rows);
}

std::string price_sentence(const PrioritizeFacts& facts, const Style& style) {
  if (!facts.unaware || !facts.unaware->main_curve()) return {};
  const double price = facts.unaware->main_curve()->rate - facts.order.main_curve()->rate;
  return sentence(fmt::format("Price of keeping to dependences: {:.3f} of the rate.", price),
                  style);
}

std::string order_name(const RankedOrder& order, bool several_seeds) {
  return several_seeds && order.technique == "T1"
             ? fmt::format("{}, seed {}", order.technique, order.seed)
             : order.technique;
}

/// Test, then the orders that change it.
std::string affected_lines(const ImpactFacts& facts, bool several_seeds, const Style& style) {
  std::map<TestId, std::pair<const ChangedResult*, std::string>> tests;
  for (const RankedOrder& order : facts.orders) {
    if (!order.checked) continue;
    for (const ChangedResult& changed : order.checked->changed) {
      auto& [first, orders] = tests[changed.test];
      first = &changed;
      orders += (orders.empty() ? "" : ", ") + order_name(order, several_seeds);
    }
  }
  std::string text;
  for (const auto& [test, seen] : tests) {
    const auto& [changed, orders] = seen;
    FlowLine line(2, 6);
    if (is_stored(changed->dependence)) line.word(dependence_words(changed->dependence), Ink::bold);
    line.word("").name(sanitize_line(facts.of.suite.test(test).full_name()));
    line.glue(":").sentence(fmt::format("{} in the default order, {} in {}",
                                        to_string(changed->expected.kind),
                                        to_string(changed->observed.kind), orders));
    if (!is_stored(changed->dependence))
      line.glue(";").sentence(dependence_words(changed->dependence));
    text += line.render(style);
  }
  return text;
}

std::vector<std::string> impact_row(const RankedOrder& order, bool several_seeds) {
  if (!order.checked) return {order_name(order, several_seeds), "not run"};
  const CheckedOrder& checked = *order.checked;
  return {order_name(order, several_seeds), thousands(checked.changed.size()),
          thousands(checked.nondeterministic.size()), thousands(checked.not_reached),
          order.statements ? fmt::format("{:.3f}", order.statements->rate) : ""};
}

/// "-72 %": what is saved of `all`.
std::string saved(double all, double now) {
  return all > 0 ? fmt::format("{:+.0f} %", 100 * (now - all) / all) : "";
}

double nanoseconds_of(std::chrono::nanoseconds time) {
  return static_cast<double>(time.count());
}

std::string size_sentence(const ReduceFacts& facts, const Style& style) {
  return sentence(
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
  const double base = nanoseconds_of(facts.times.front().all);
  Rows rows = {{"isolation", "all tests", "", "reduced", ""}};
  for (const ReducedTime& time : facts.times) {
    std::string name(to_string(time.asked));
    if (time.used != time.asked) name += fmt::format(" ({})", to_string(time.used));
    const bool first = &time == &facts.times.front();
    rows.push_back({name, human_duration(time.all),
                    first ? "" : saved(base, nanoseconds_of(time.all)),
                    human_duration(time.reduced), saved(base, nanoseconds_of(time.reduced))});
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
  return sentence(fmt::format("Of {} that were run, all tests find {} and the reduced ones {}.",
                              count_of(run, "fault"), found, kept),
                  style) +
         text;
}

}  // namespace

std::string prioritize_text(const PrioritizeFacts& facts, const Style& style) {
  const RankedOrder& order = facts.order;
  std::string text =
      title(fmt::format("{} ({}), seed {},", order.technique, order.description, order.seed),
            facts.of, style);
  text += coverage_sentence(facts.coverage, style);
  text += curve_table(facts);
  text += price_sentence(facts, style);
  text += aware_lines(order, facts.of.suite, style);
  text += checked_lines(order, facts.of.suite, style);
  text += notice_lines(facts.notices, style);
  return text + files_lines(facts.files, facts.of, style);
}

std::string impact_text(const ImpactFacts& facts, const Style& style) {
  const auto random = std::count_if(facts.orders.begin(), facts.orders.end(),
                                    [](const RankedOrder& o) { return o.technique == "T1"; });
  std::string text = title(facts.aware ? "Impact of dependence-aware orders" : "Impact of orders",
                           facts.of, style);
  text += coverage_sentence(facts.coverage, style);
  Rows rows = {{"order", "changed results", "non-deterministic", "not reached", "statement rate"}};
  for (const RankedOrder& order : facts.orders) rows.push_back(impact_row(order, random > 1));
  text += columns(rows);
  text += affected_lines(facts, random > 1, style);
  if (facts.end == RunEnd::interrupted) text += "Interrupted: the table is not complete.\n";
  text +=
      FlowLine(0, 2)
          .sentence(facts.affected().empty()
                        ? "No order changes a result."
                        : fmt::format("{} a result that depends on the order.",
                                      count_of(facts.affected().size(), "test has", "tests have")))
          .render(style);
  return text + notice_lines(facts.notices, style);
}

std::vector<std::string> order_files(const RankedOrder& order, const Suite& suite) {
  std::vector<std::string> files;
  for (const ProcessOrder& process : order.processes) {
    std::string text = fmt::format("# {}, {}", order.technique, order.description);
    if (order.technique != "reduced") text += fmt::format(", seed {}", order.seed);
    if (order.processes.size() > 1) {
      text += fmt::format("; process {} of {}", files.size() + 1, order.processes.size());
    }
    text += "\n";
    for (TestId test : process.order) text += suite.test(test).full_name() + "\n";
    files.push_back(std::move(text));
  }
  return files;
}

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
