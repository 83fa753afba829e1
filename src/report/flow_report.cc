// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "report/flow_report.h"
#include "base/enum_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>

#include "base/text.h"
#include "report/detect_report.h"
#include "report/json.h"
#include "report/outcome_text.h"
#include "report/terminal_style.h"
#include "report/text.h"

namespace gordian {
namespace {

using nlohmann::json;

constexpr std::size_t kMostStates = 3;

std::chrono::nanoseconds duration(double seconds) {
  return std::chrono::nanoseconds(static_cast<std::int64_t>(seconds * 1e9));
}

std::string row(std::string_view name, std::string_view text) {
  return fmt::format("  {:<18}{}\n", name, text);
}

constexpr EnumWords<FlowVerdict, 4> kVerdictWords = {{{FlowVerdict::manifest, "manifest"},
                                                      {FlowVerdict::not_manifest, "not manifest"},
                                                      {FlowVerdict::untestable, "untestable"},
                                                      {FlowVerdict::untested, "not tested"}}};

/// "3 not manifest, 1 untestable, 4 not tested": those there are, but for manifest ones.
std::string verdicts_text(const FlowFacts& facts) {
  std::string text;
  for (const auto& [verdict, word] : kVerdictWords) {
    const std::uint64_t count = verdict == FlowVerdict::manifest ? 0 : facts.count(verdict);
    if (count > 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", thousands(count), word);
  }
  return text;
}

std::string states_text(const DataDependence& dependence, const DataFlow& flow) {
  std::string text;
  for (std::size_t i = 0; i < dependence.states.size() && i < kMostStates; ++i) {
    text += (i == 0 ? "" : ", ") + sanitize_line(flow.state(dependence.states[i]).key.text());
  }
  if (dependence.states.size() > kMostStates) {
    text += fmt::format(" and {} more", dependence.states.size() - kMostStates);
  }
  return text;
}

/// Of a FlowFacts whose verdicts were not filled in, all are untested.
TestedFlow tested_at(const FlowFacts& facts, std::size_t i) {
  return i < facts.tested.size() ? facts.tested[i] : TestedFlow{};
}

std::string ignored_text(const FlowFacts& facts, const Style& style) {
  std::string out;
  for (const IgnoredState& state : facts.ignored) {
    out += FlowLine(2, 6)
               .word("ignored")
               .word(sanitize_line(state.key.text()), Ink::bold)
               .sentence(fmt::format("({}): {} read, {} wrote it, {}", sanitize_line(state.rule),
                                     count_of(state.reads, "test"), state.writes,
                                     count_of(state.dependences, "dependence")))
               .render(style);
  }
  return out;
}

/// Manifest ones first, else as they are.
std::vector<std::size_t> by_weight(const FlowFacts& facts) {
  std::vector<std::size_t> places(facts.flow.dependences.size());
  std::iota(places.begin(), places.end(), 0);
  constexpr std::array kFirst = {FlowVerdict::manifest, FlowVerdict::untestable,
                                 FlowVerdict::untested, FlowVerdict::not_manifest};
  auto weight = [&](std::size_t i) {
    return std::find(kFirst.begin(), kFirst.end(), tested_at(facts, i).verdict) - kFirst.begin();
  };
  std::stable_sort(places.begin(), places.end(),
                   [&](std::size_t a, std::size_t b) { return weight(a) < weight(b); });
  return places;
}

/// Sentences that a collector says of one state after another, around its name.
struct LimitForm {
  std::string_view before, after, after_many;
};
constexpr LimitForm kLimitForms[] = {
    {"not every word of ", " was watched: the passes were used up",
     " was watched: the passes were used up"},
    {"who reads the file ", " is not seen", " is not seen"},
    {"who notices ", " is not seen", " is not seen"},
    {"", " is too large to be watched as a whole", " are too large to be watched as a whole"},
};

const LimitForm* form_of(std::string_view limit) {
  for (const LimitForm& form : kLimitForms) {
    const bool long_enough = limit.size() > form.before.size() + form.after.size();
    if (long_enough && limit.starts_with(form.before) && limit.ends_with(form.after)) return &form;
  }
  return nullptr;
}

/// One line for all states of which the same is said, with the first few names. JSON has them all.
std::vector<std::string> grouped_limits(const std::vector<std::string>& limits) {
  constexpr std::size_t kNamed = 3;
  std::vector<std::string> lines;
  std::map<const LimitForm*, std::pair<std::size_t, std::vector<std::string>>> groups;
  for (const std::string& limit : limits) {
    const LimitForm* form = form_of(limit);
    if (form == nullptr) {
      lines.push_back(limit);
      continue;
    }
    auto& [line, names] = groups[form];
    if (names.empty()) {
      line = lines.size();
      lines.push_back(limit);
    }
    const std::size_t size = limit.size() - form->before.size() - form->after.size();
    names.push_back(limit.substr(form->before.size(), size));
  }
  for (const auto& [form, group] : groups) {
    const auto& [line, names] = group;
    if (names.size() == 1) continue;
    std::string list = names[0];
    for (std::size_t i = 1; i < std::min(kNamed, names.size()); ++i) list += ", " + names[i];
    if (names.size() > kNamed) list += fmt::format(" and {} more", names.size() - kNamed);
    lines[line] = fmt::format("{}{}{}", form->before, list, form->after_many);
  }
  return lines;
}

json state_to_json(const SharedState& state) {
  return {{"kind", to_string(state.key.kind())},
          {"name", state.key.text()},
          {"type", text_or_null(state.type)},
          {"file", text_or_null(state.file)},
          {"line", line_or_null(state.line)}};
}

json numbers(const std::vector<StateId>& states) {
  return json_list(states, [&](StateId id) { return id.value(); });
}

json edge_to_json(const DataDependence& edge, const TestedFlow& tested, const Suite& suite) {
  const bool manifest = tested.verdict == FlowVerdict::manifest;
  return {{"reader", suite.test(edge.reader).full_name()},
          {"writer", suite.test(edge.writer).full_name()},
          {"states", numbers(edge.states)},
          {"write", site_to_json(edge.write, JsonForm::shown)},
          {"read", site_to_json(edge.read, JsonForm::shown)},
          {"verdict", to_string(tested.verdict)},
          {"why", text_or_null(tested.why)},
          {"changed", manifest ? json(suite.test(tested.changed).full_name()) : json()},
          {"schedule", manifest ? names_json(tested.schedule, suite) : json()}};
}

json test_flow_to_json(const TestFlow& test, const Suite& suite) {
  return {{"test", suite.test(test.test).full_name()},
          {"reads", numbers(test.reads)},
          {"writes", numbers(test.writes)},
          {"unsure", text_or_null(test.unsure)}};
}

json ignored_to_json(const IgnoredState& state) {
  return {{"kind", to_string(state.key.kind())},
          {"name", state.key.text()},
          {"rule", state.rule},
          {"reads", state.reads},
          {"writes", state.writes},
          {"dependences", state.dependences}};
}

constexpr std::size_t kMostDependences = 20;

std::string graph_next_text(const GraphFacts& facts, const Style& style) {
  const bool open = std::any_of(facts.flows.begin(), facts.flows.end(), [](const FlowFacts& f) {
    return f.count(FlowVerdict::untested) > 0;
  });
  if (!open) return {};
  const bool traced = facts.flows.front().flow.source == FlowSource::trace;
  return FlowLine(0, 2)
      .word("Next:")
      .word(std::string("gordian detect --algorithm dataflow ") + (traced ? "--trace " : "") +
                sanitize_line(shell_word(facts.target.binary.string())),
            Ink::cyan)
      .sentence("tells which of them are manifest.")
      .render(style);
}

}  // namespace

std::string flow_statistics(const FlowFacts& facts, const Style& style) {
  const DataFlow& flow = facts.flow;
  std::string head =
      fmt::format("Data flow of the {} order ({}, {} in {}{}):",
                  facts.backwards ? "reverse default" : "default", to_string(flow.source),
                  count_of(flow.passes, "pass", "passes"), human_duration(duration(flow.seconds)),
                  facts.from_store ? ", collected before" : "");
  std::string out = FlowLine(0, 2).sentence(head).render(style);
  out += row("tests", thousands(flow.order.size()));
  out += row("data dependences", fmt::format("{} in {}", thousands(flow.dependences.size()),
                                             count_of(facts.components, "group")));
  out += row("manifest", thousands(facts.count(FlowVerdict::manifest)));
  if (std::string others = verdicts_text(facts); !others.empty()) out += row("others", others);
  if (facts.schedules > 0) {
    out += row("executions",
               fmt::format("{} of at most {} ({} in {})", count_of(facts.tests_run, "test"),
                           thousands(facts.most_tests()), count_of(facts.schedules, "order"),
                           human_duration(duration(facts.refined_seconds))));
  }
  out += ignored_text(facts, style);
  if (facts.ignored_dependences > 0) {
    out += row("ignored", count_of(facts.ignored_dependences, "data dependence"));
  }
  for (const std::string& limit : grouped_limits(flow.misses)) {
    out += FlowLine(2, 6).sentence("limit: " + sanitize_line(limit)).render(style);
  }
  return out;
}

std::string flow_lines(const FlowFacts& facts, const Suite& suite, const Style& style,
                       std::size_t most) {
  std::string out;
  std::size_t shown = 0;
  for (std::size_t i : by_weight(facts)) {
    if (most > 0 && shown++ == most) {
      out += fmt::format("  and {} more\n", facts.flow.dependences.size() - most);
      break;
    }
    const DataDependence& edge = facts.flow.dependences[i];
    const TestedFlow tested = tested_at(facts, i);
    FlowLine line(2, 6);
    line.name(printable_name(suite.test(edge.reader)), Ink::bold).word("reads from");
    line.word("").name(printable_name(suite.test(edge.writer))).glue(":");
    line.sentence(states_text(edge, facts.flow))
        .word("(")
        .glue(word_in(kVerdictWords, tested.verdict),
              tested.verdict == FlowVerdict::manifest ? Ink::red : Ink::dim);
    if (!tested.why.empty()) line.glue(":").sentence(sanitize_line(tested.why));
    out += line.glue(")").render(style);
  }
  return out;
}

std::string pruning_sentence(const PruningFacts& pruning) {
  if (!pruning.no_reason.empty()) {
    return fmt::format("No order was left out by what tests read and write: {}.",
                       sanitize_line(pruning.no_reason));
  }
  const std::uint64_t all = pruning.needless + pruning.needed;
  const double share =
      all == 0 ? 0 : 100.0 * static_cast<double>(pruning.needless) / static_cast<double>(all);
  std::string text = fmt::format(
      "{} of {} orders ({:.0f} %) were left out by what tests read and write ({}, {} in {})",
      thousands(pruning.needless), thousands(all), share, to_string(pruning.source),
      count_of(pruning.passes, "pass", "passes"), human_duration(duration(pruning.seconds)));
  if (pruning.sound) return text + ".";
  text += "; that is no proof, because not all can have been seen";
  for (const std::string& missed : pruning.misses) text += ": " + sanitize_line(missed);
  return text + ".";
}

std::string flow_to_dot(const std::vector<FlowFacts>& flows, const Suite& suite) {
  std::string out = "digraph data_dependences {\n  rankdir=LR;\n  node [shape=box];\n";
  for (const FlowFacts& facts : flows) {
    for (std::size_t i = 0; i < facts.flow.dependences.size(); ++i) {
      const DataDependence& edge = facts.flow.dependences[i];
      const FlowVerdict verdict = tested_at(facts, i).verdict;
      const char* look = verdict == FlowVerdict::manifest       ? "color=red, penwidth=2"
                         : verdict == FlowVerdict::not_manifest ? "style=dashed, color=gray"
                         : verdict == FlowVerdict::untestable   ? "style=dotted"
                                                                : "style=solid";
      out += fmt::format("  {} -> {} [label={}, {}{}];\n",
                         dot_quoted(suite.test(edge.reader).full_name()),
                         dot_quoted(suite.test(edge.writer).full_name()),
                         dot_quoted(states_text(edge, facts.flow)), look,
                         facts.backwards ? ", arrowhead=empty" : "");
    }
  }
  return out + "}\n";
}

json flow_to_json(const FlowFacts& facts, const Suite& suite) {
  const DataFlow& flow = facts.flow;
  json edges = json::array();
  for (std::size_t i = 0; i < flow.dependences.size(); ++i) {
    edges.push_back(edge_to_json(flow.dependences[i], tested_at(facts, i), suite));
  }
  return {
      {"source", to_string(flow.source)},
      {"backwards", facts.backwards},
      {"from_store", facts.from_store},
      {"order", names_json(flow.order, suite)},
      {"states", json_list(flow.states, state_to_json)},
      {"tests",
       json_list(flow.tests, [&](const TestFlow& test) { return test_flow_to_json(test, suite); })},
      {"dependences", std::move(edges)},
      {"manifest", facts.count(FlowVerdict::manifest)},
      {"not_manifest", facts.count(FlowVerdict::not_manifest)},
      {"untestable", facts.count(FlowVerdict::untestable)},
      {"untested", facts.count(FlowVerdict::untested)},
      {"components", facts.components},
      {"schedules", facts.schedules},
      {"tests_run", facts.tests_run},
      {"tests_run_at_most", facts.most_tests()},
      {"refined_seconds", facts.refined_seconds},
      {"passes", flow.passes},
      {"collected_seconds", flow.seconds},
      {"ignored", json_list(facts.ignored, ignored_to_json)},
      {"ignored_dependences", facts.ignored_dependences},
      {"misses", flow.misses}};
}

json pruning_to_json(const PruningFacts& pruning) {
  const bool collected = pruning.no_reason.empty();
  return {{"source", to_string(pruning.source)},
          {"collected", collected},
          {"why_not", collected ? json() : json(pruning.no_reason)},
          {"orders_needless", pruning.needless},
          {"orders_needed", pruning.needed},
          {"proved", pruning.sound},
          {"misses", pruning.misses},
          {"passes", pruning.passes},
          {"collected_seconds", pruning.seconds}};
}

std::string graph_text(const GraphFacts& facts, const Style& style, bool all) {
  std::string out = FlowLine(0, 2)
                        .name(sanitize_line(facts.target.binary.string()), Ink::bold)
                        .glue(":")
                        .sentence(count_of(facts.suite.size(), "test"))
                        .render(style);
  for (const FlowFacts& flow : facts.flows) {
    out += flow_statistics(flow, style);
    out += flow_lines(flow, facts.suite, style, all ? 0 : kMostDependences);
  }
  return out + graph_next_text(facts, style);
}

std::string graph_to_dot(const GraphFacts& facts) {
  return flow_to_dot(facts.flows, facts.suite);
}

json graph_to_json(const GraphFacts& facts) {
  auto flow = [&](const FlowFacts& one) { return flow_to_json(one, facts.suite); };
  return {{"kind", "graph"},
          {"version", kJsonVersion},
          {"suite", searched_suite_to_json(facts.binary, facts.target, facts.suite)},
          {"data_flows", json_list(facts.flows, flow)},
          {"notices", notices_to_json(facts.notices)},
          {"db", text_or_null(facts.db)}};
}

}  // namespace gordian
