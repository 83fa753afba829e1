// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "report/rank_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "report/columns.h"
#include "report/detect_flow.h"
#include "report/rank_words.h"
#include "report/text.h"
#include "report/units.h"

namespace gordian {
namespace {

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
  return FlowLine(0, 2)
      .sentence(fmt::format("Price of keeping to dependences: {:.3f} of the rate.", price))
      .render(style);
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

}  // namespace gordian
