// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "report/detect_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "report/detect_blocks.h"
#include "report/detect_explored.h"
#include "report/detect_flow.h"
#include "report/detect_words.h"
#include "report/outcome_text.h"
#include "report/text.h"
#include "report/units.h"

namespace gordian {
namespace {

constexpr int kRuleWidth = 60;
std::string nondeterministic_text(const DetectFacts& facts, const Style& style) {
  if (facts.nondeterministic.empty()) return {};
  std::string out = "Not deterministic:\n";
  for (const NondeterministicTest& test : facts.nondeterministic) {
    FlowLine line(2, kBlockIndent);
    line.name(printable_name(facts.suite.test(test.test)), Ink::bold);
    out += line.sentence(nondeterminism_text(test)).render(style);
    for (auto [label, outcome] : {std::pair{"usually", &test.usual}, {"else", &test.other}}) {
      FlowLine result = labelled_line(label);
      add_result(result, *outcome, style);
      out += result.render(style);
    }
  }
  return out + "\n";
}

/// Seen, and never confirmed: a search that goes on looks at them again.
std::string suspected_text(const DetectFacts& facts, const Style& style) {
  if (facts.suspected.empty()) return {};
  std::string out = "Suspected, not confirmed and not counted (there was no time):\n";
  for (const SuspectedTest& suspected : facts.suspected) {
    FlowLine line(2, kBlockIndent);
    line.name(printable_name(facts.suite.test(suspected.test)), Ink::bold);
    const auto before = suspected.order.size() - 1;
    line.sentence(before == 0 ? "alone:" : "after " + count_of(before, "other test") + ":")
        .word("");
    add_result(line, suspected.observed, style);
    out += line.render(style);
  }
  return out + "\n";
}

/// Known to the authors: no findings, but worth knowing which of them are true.
std::string declared_text(const DetectFacts& facts, const Style& style) {
  if (facts.declared.empty()) return {};
  std::string out = "Declared, not counted:\n";
  for (const DeclaredDependence& declared : facts.declared) {
    FlowLine line(2, kBlockIndent);
    line.name(printable_name(facts.suite.test(declared.test)), Ink::bold);
    line.sentence(declared.needed ? "needs, as it says," : "says that it needs").word("");
    add_names(line, declared.on, facts.suite);
    line.glue(";").sentence(declared.needed ? "without:" : "without, it is the same:").word("");
    add_result(line, declared.without, style);
    out += line.render(style);
  }
  return out + "\n";
}

/// By reason: a suite can have many tests that are left out for one.
std::string left_out_text(const DetectFacts& facts, const Style& style) {
  if (facts.left_out.empty()) return {};
  std::vector<std::pair<std::string, std::vector<TestId>>> reasons;
  for (const LeftOutTest& out : facts.left_out) {
    auto it = std::find_if(reasons.begin(), reasons.end(),
                           [&out](const auto& reason) { return reason.first == out.why; });
    if (it == reasons.end()) it = reasons.insert(it, {out.why, {}});
    it->second.push_back(out.test);
  }
  std::string out = fmt::format("Left out ({}):\n", count_of(facts.left_out.size(), "test"));
  for (const auto& [why, tests] : reasons) {
    FlowLine line(2, kBlockIndent);
    add_names(line, tests, facts.suite);
    out += line.glue(":").sentence(sanitize_line(why)).render(style);
  }
  return out + "\n";
}

std::string notices_text(const DetectFacts& facts, const Style& style) {
  std::string out;
  for (const Notice& notice : facts.notices) {
    bool warning = notice.level == Notice::Level::warning;
    FlowLine line(0, 2);
    line.glue(warning ? "Warning:" : "Note:", warning ? Ink::yellow : Ink::cyan);
    out += line.sentence(sanitize_line(notice.text)).render(style);
  }
  return out.empty() ? out : out + "\n";
}

std::string title_text(const DetectFacts& facts, const Style& style) {
  std::string version = sanitize_line(facts.suite.framework_version());
  FlowLine line(0, 2);
  line.name(sanitize_line(binary_text(facts)), Ink::bold).glue(":");
  line.word(to_string(facts.suite.framework()));
  if (!version.empty()) line.glue(" " + version);
  line.glue(",").sentence(count_of(facts.suite.size(), "test"));
  return paint(style.rule(kRuleWidth), Ink::dim, style.color) + "\n" + line.render(style) + "\n";
}

struct NextStep {
  std::string command;
  std::string_view what;
};

/// What is not known yet of the first dependence; then what can be done about it.
NextStep next_step(const DetectFacts& facts, std::span<const Explanation> explanations) {
  const Dependence& first = facts.dependences.front();
  const auto known =
      std::find_if(explanations.begin(), explanations.end(),
                   [&first](const Explanation& one) { return one.dependence == first.id; });
  if (known == explanations.end()) {
    return {explain_command(first, facts), "finds the state that carries it."};
  }
  const auto& carriers = known->carriers;
  const bool has_sites = std::any_of(carriers.begin(), carriers.end(),
                                     [](const Carrier& one) { return one.write || one.read; });
  if (!has_sites) {
    return {explain_command(first, facts), "shows where the state was written and read."};
  }
  if (facts.suite.runtime().no_patches) return {};
  return {fix_command(first, facts), "makes a patch and verifies it, in a copy of the project."};
}

std::string next_text(const DetectFacts& facts, std::span<const Explanation> explanations,
                      const Style& style) {
  if (facts.dependences.empty()) return {};
  const NextStep next = next_step(facts, explanations);
  if (next.command.empty()) return {};
  FlowLine line(0, 2);
  line.word("Next:").word(sanitize_line(next.command), Ink::cyan);
  return line.sentence(next.what).render(style);
}

std::string verdict_text(const DetectFacts& facts, const Style& style) {
  std::string verdict = verdict_sentence(facts);
  bool found = !facts.dependences.empty();
  bool sure = facts.search.complete_k >= 2;
  Ink ink = found ? Ink::red : sure ? Ink::green : Ink::yellow;
  return FlowLine(0, 2).sentence(verdict, ink).render(style);
}

}  // namespace

std::string detect_summary(const DetectFacts& facts, const Style& style,
                           std::span<const Explanation> explanations) {
  return title_text(facts, style) + dependence_blocks(facts, style, explanations) +
         nondeterministic_text(facts, style) + suspected_text(facts, style) +
         declared_text(facts, style) + left_out_text(facts, style) + notices_text(facts, style) +
         explored_text(facts, style) + "\n" + next_text(facts, explanations, style) +
         verdict_text(facts, style);
}

}  // namespace gordian
