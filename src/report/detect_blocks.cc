// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "report/detect_blocks.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "report/detect_words.h"
#include "report/explain_facts.h"
#include "report/explain_words.h"
#include "report/outcome_text.h"
#include "report/text.h"
#include "report/units.h"

namespace gordian {
namespace {

constexpr int kLabel = 12;            // "after them  "
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
struct Columns {
  int id = 0, role = 0, name = 0;
};

Columns measure(const DetectFacts& facts) {
  Columns columns;
  for (const Dependence& d : facts.dependences) {
    columns.id = std::max(columns.id, display_width(to_string(d.id)));
    columns.role = std::max(columns.role, display_width(role_word(d.role)));
    int name = display_width(printable_name(facts.suite.test(d.test)));
    if (name <= kMostNamePadding) columns.name = std::max(columns.name, name);
  }
  return columns;
}

class Blocks {
 public:
  Blocks(const DetectFacts& facts, std::span<const Explanation> explanations, const Style& style)
      : facts_(facts),
        explanations_(explanations),
        suite_(facts.suite),
        style_(style),
        columns_(measure(facts)) {}

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
    FlowLine line = labelled_line(label);
    add_result(line, outcome, style_);
    add(line);
  }

  void add_results(const Dependence& d) {
    bool self = d.role == Role::self_dependent;
    add_result_line("alone", d.alone);
    if (!d.passes_after.empty()) {
      FlowLine line = labelled_line("passes");
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
    const Explanation* explanation = find_explanation(explanations_, d.id);
    if (explanation == nullptr) return;
    for (const Carrier& carrier : explanation->carriers) {
      FlowLine line = labelled_line(carrier.proved ? "carrier" : "suspect");
      line.name(sanitize_line(carrier.key.text()), Ink::bold);
      const std::string details = carrier_details(carrier);
      if (!details.empty()) line.word("", Ink::plain, "  ").name(details);
      const std::string values = values_text(carrier, kBlockIndent + kLabel, style_);
      if (!values.empty()) line.word("", Ink::plain, "  ").name(values);
      add(line.word(carrier.proved ? "proved" : "suspected",
                    carrier.proved ? Ink::green : Ink::yellow, "   "));
    }
    if (explanation->proved) return;
    add(labelled_line(explanation->carriers.empty() ? "carrier" : "proof")
            .continued(no_proof_text(*explanation), Ink::yellow));
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
    FlowLine line = labelled_line("witness");
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
    add(labelled_line("note")
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
    line.add(fmt::format("{:{}}{:<{}}", "", kBlockIndent, "replay", kLabel), Ink::dim);
    text_ += line.add(sanitize_line(command), Ink::cyan).add(hint, Ink::dim).render(style_) + "\n";
  }

  const DetectFacts& facts_;
  std::span<const Explanation> explanations_;
  const Suite& suite_;
  const Style& style_;
  Columns columns_;
  std::string text_;
};

}  // namespace

FlowLine labelled_line(std::string_view label) {
  FlowLine line(kBlockIndent, kBlockIndent + kLabel);
  line.glue(fmt::format("{:<{}}", label, kLabel), Ink::dim);
  return line;
}

std::string dependence_blocks(const DetectFacts& facts, const Style& style,
                              std::span<const Explanation> explanations) {
  return Blocks(facts, explanations, style).text();
}

}  // namespace gordian
