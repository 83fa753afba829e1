// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "report/detect_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/dependence.h"
#include "model/explanation.h"
#include "model/report_facts.h"
#include "report/explain_report.h"
#include "report/outcome_text.h"
#include "report/terminal_style.h"
#include "report/text.h"

namespace gordian {
namespace {

/// HeadlineWidths before the lines of a block, but for its first.
constexpr int kBlockIndent = 6;

constexpr int kBlockLabel = 12;       // "after them  "
constexpr int kMostNamePadding = 36;  // one long name must not push all the others apart

using Group = std::vector<const Dependence*>;

/// Largest first: curing what they have in common cures most.
std::vector<Group> groups_of(const std::vector<Dependence>& dependences) {
  std::vector<Group> groups;
  std::map<Order, std::size_t> index;
  for (const Dependence& d : dependences) {
    auto [it, is_new] = index.emplace(d.by, groups.size());
    if (is_new) groups.emplace_back();
    groups[it->second].push_back(&d);
  }
  std::stable_sort(groups.begin(), groups.end(),
                   [](const Group& a, const Group& b) { return a.size() > b.size(); });
  return groups;
}

std::string blanks(int count) {
  return std::string(static_cast<std::size_t>(std::max(count, 0)), ' ');
}

/// Widths that are the same in all the headlines.
struct HeadlineWidths {
  int id = 0, role = 0, name = 0;
};

HeadlineWidths measure(const DetectFacts& facts) {
  HeadlineWidths columns;
  for (const Dependence& d : facts.dependences) {
    columns.id = std::max(columns.id, display_width(to_string(d.id)));
    columns.role = std::max(columns.role, display_width(role_word(d.role)));
    int name = display_width(printable_name(facts.suite.test(d.test)));
    if (name <= kMostNamePadding) columns.name = std::max(columns.name, name);
  }
  return columns;
}

/// Begins a line of a block: "      alone       ".
FlowLine block_line(std::string_view label) {
  return labelled_line(label, kBlockIndent, kBlockLabel);
}

class DependenceBlocks {
 public:
  DependenceBlocks(const DetectFacts& facts, const Style& style)
      : facts_(facts), suite_(facts.suite), style_(style), columns_(measure(facts)) {}

  std::string text() {
    for (const Group& group : groups_of(facts_.dependences)) {
      if (group.size() > 1) add_heading(group);
      for (const Dependence* d : group) add_block(*d);
    }
    return std::move(text_);
  }

 private:
  void add(const FlowLine& line) { text_ += line.render(style_); }

  void add_heading(const Group& group) {
    const Order& by = group.front()->by;
    FlowLine line(0, 2);
    line.sentence(count_of(group.size(), "test") + " depend on").word("");
    add_names(line, by, suite_, "and");
    if (by.size() > 1) line.word("together");
    add(line.glue(":"));
  }

  void add_block(const Dependence& d) {
    add_headline(d);
    add_results(d);
    add_carriers(d);
    add_others(d);
    add_witness(d);
    add_replay(d);
    text_ += "\n";
  }

  void add_headline(const Dependence& d) {
    std::string id = to_string(d.id), name = printable_name(suite_.test(d.test));
    std::string_view role = role_word(d.role);
    FlowLine line(0, kBlockIndent);
    line.glue(id, Ink::bold).glue(blanks(columns_.id - display_width(id) + 2));
    line.glue(role, Ink::yellow).glue(blanks(columns_.role - display_width(role) + 2));
    line.name(name, Ink::bold);
    add_claim(line, d, suite_, blanks(columns_.name - display_width(name)) + "  ");
    add(line);
  }

  void add_result_line(std::string_view label, const Outcome& outcome) {
    FlowLine line = block_line(label);
    add_result(line, outcome, style_);
    add(line);
  }

  void add_results(const Dependence& d) {
    bool self = d.role == Role::self_dependent;
    add_result_line("alone", d.alone);
    if (!d.passes_after.empty()) {
      FlowLine line = block_line("passes");
      line.glue("after").word("");
      add_names(line, d.passes_after, suite_, "and");
      add(line);
    }
    add_result_line(self ? "again" : d.by.size() > 1 ? "after them" : "after it", d.witnessed);
    // In the default order one expects the good result; any other deserves a line.
    const Outcome& good = d.role == Role::brittle ? d.witnessed : d.alone;
    bool known = d.expected.kind != OutcomeKind::not_run && d.expected.kind != OutcomeKind::lost;
    if (known && !same_result(d.expected, good)) add_result_line("by default", d.expected);
  }

  void add_carriers(const Dependence& d) {
    if (!d.explanation) return;
    for (const Carrier& carrier : d.explanation->carriers) {
      FlowLine line = block_line(carrier.proved ? "carrier" : "suspect");
      line.name(sanitize_line(carrier.key.text()), Ink::bold);
      const std::string details = carrier_details(carrier);
      if (!details.empty()) line.word("", Ink::plain, "  ").name(details);
      const std::string values = values_text(carrier, kBlockIndent + kBlockLabel, style_);
      if (!values.empty()) line.word("", Ink::plain, "  ").name(values);
      add(line.word(carrier.proved ? "proved" : "suspected",
                    carrier.proved ? Ink::green : Ink::yellow, "   "));
    }
    if (d.explanation->proved) return;
    add(block_line(d.explanation->carriers.empty() ? "carrier" : "proof")
            .continued(no_proof_text(*d.explanation), Ink::yellow));
  }

  /// What else is known: other tests that do the same, and what undoes it.
  void add_others(const Dependence& d) {
    bool brittle = d.role == Role::brittle, victim = d.role == Role::victim;
    std::vector<TestId> others;
    for (TestId id : d.singles) {
      if (std::find(d.by.begin(), d.by.end(), id) == d.by.end()) others.push_back(id);
    }
    FlowLine line(kBlockIndent, kBlockIndent + 2);
    bool any = false;
    auto part = [&](std::string_view words) -> FlowLine& {
      if (std::exchange(any, true)) line.glue(";");
      return line.sentence(words);
    };
    auto list = [&](std::string_view words, const std::vector<TestId>& tests, bool complete) {
      part(words).word("");
      add_names(line, tests, suite_);
      if (!complete) line.word("(not every test was tried)");
    };
    if (!others.empty()) {
      list(brittle ? "also passes after" : "also polluted by", others, d.singles_complete);
    } else if (d.singles_complete && d.by.size() == 1 && (brittle || victim)) {
      part(brittle ? "no other test alone sets its state" : "no other test alone pollutes it");
    }
    if (victim && !d.cleaners.empty()) list("cleaned by", d.cleaners, d.cleaners_complete);
    if (victim && d.cleaners.empty() && d.cleaners_complete) part("no test cleans it");
    if (any) add(line);
  }

  void add_witness(const Dependence& d) {
    FlowLine line = block_line("witness");
    Order before = d.witness;
    if (!before.empty()) before.pop_back();
    if (!before.empty()) {
      add_names(line, before, suite_);
      line.glue(",").word("");
    }
    line.name(printable_name(suite_.test(d.test)), Ink::bold);
    std::string times = "(run once)";
    if (d.confirmed != 1) times = fmt::format("(run {} times, always the same)", d.confirmed);
    if (d.confirmed <= 0) times = "(not repeated)";
    add(line.word(times, Ink::dim, "   "));
    if (!d.splits_suite) return;
    add(block_line("note")
            .glue("the witness")
            .sentence("interleaves suites, which the framework itself would not do"));
  }

  void add_replay(const Dependence& d) {
    // Not through add(): a command is copied, so it is neither broken nor cut.
    std::string command = replay_command(d, facts_);
    std::string hint;
    if (command.empty()) {
      command = order_file_command(facts_);
      hint = "   (FILE: the names of the witness, one a line)";
    }
    StyledLine line;
    line.add(fmt::format("{:{}}{:<{}}", "", kBlockIndent, "replay", kBlockLabel), Ink::dim);
    text_ += line.add(sanitize_line(command), Ink::cyan).add(hint, Ink::dim).render(style_) + "\n";
  }

  const DetectFacts& facts_;
  const Suite& suite_;
  const Style& style_;
  HeadlineWidths columns_;
  std::string text_;
};

/// Each block ends with an empty line; "" without dependent tests.
std::string dependence_blocks(const DetectFacts& facts, const Style& style) {
  return DependenceBlocks(facts, style).text();
}

std::string nondeterministic_text(const DetectFacts& facts, const Style& style) {
  if (facts.nondeterministic.empty()) return {};
  std::string out = "Not deterministic:\n";
  for (const NondeterministicTest& test : facts.nondeterministic) {
    FlowLine line(2, kBlockIndent);
    line.name(printable_name(facts.suite.test(test.test)), Ink::bold);
    out += line.sentence(nondeterminism_text(test)).render(style);
    for (auto [label, outcome] : {std::pair{"usually", &test.usual}, {"else", &test.other}}) {
      FlowLine result = block_line(label);
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
  return style.rule() + line.render(style) + "\n";
}

struct NextStep {
  std::string command;
  std::string_view what;
};

/// What is not known yet of the first dependence; then what can be done about it.
NextStep next_step(const DetectFacts& facts) {
  const Dependence& first = facts.dependences.front();
  if (!first.explanation) {
    return {explain_command(first, facts), "finds the state that carries it."};
  }
  const auto& carriers = first.explanation->carriers;
  const bool has_sites = std::any_of(carriers.begin(), carriers.end(),
                                     [](const Carrier& one) { return one.write || one.read; });
  if (!has_sites) {
    return {explain_command(first, facts), "shows where the state was written and read."};
  }
  if (facts.suite.runtime().no_patches) return {};
  return {fix_command(first, facts), "makes a patch and verifies it, in a copy of the project."};
}

std::string next_text(const DetectFacts& facts, const Style& style) {
  if (facts.dependences.empty()) return {};
  const NextStep next = next_step(facts);
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

std::string detect_summary(const DetectFacts& facts, const Style& style) {
  return title_text(facts, style) + dependence_blocks(facts, style) +
         nondeterministic_text(facts, style) + suspected_text(facts, style) +
         declared_text(facts, style) + left_out_text(facts, style) + notices_text(facts, style) +
         explored_text(facts, style) + "\n" + next_text(facts, style) + verdict_text(facts, style);
}

}  // namespace gordian
