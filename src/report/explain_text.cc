// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "report/explain_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "report/detect_flow.h"
#include "report/detect_words.h"
#include "report/explain_words.h"
#include "report/outcome_text.h"
#include "report/site_text.h"
#include "report/text.h"
#include "report/units.h"

namespace gordian {
namespace {

constexpr int kIndent = 2;
constexpr int kLabel = 10;  // "expected  "

using Group = std::vector<const KnownDependence*>;

/// What makes carriers the same: suspicions make nothing.
std::string carriers_key(const KnownDependence& explained) {
  std::vector<std::string> names;
  if (explained.explained().proved) {
    for (const Carrier& carrier : explained.explained().carriers) {
      names.push_back(fmt::format("{}:{}:{}:{}", static_cast<int>(carrier.key.kind()),
                                  carrier.key.text(), carrier.file, carrier.line));
    }
  }
  std::sort(names.begin(), names.end());
  return fmt::format("{}", fmt::join(names, "\n"));
}

/// Largest first: curing what they have in common cures most.
std::vector<Group> groups_of(const std::vector<KnownDependence>& all) {
  std::vector<Group> groups;
  std::map<std::string, std::size_t> index;
  for (const KnownDependence& explained : all) {
    const std::string key = carriers_key(explained);
    auto [it, is_new] = index.emplace(key, groups.size());
    if (is_new || key.empty()) it->second = groups.size();
    if (is_new || key.empty()) groups.emplace_back();
    groups[it->second].push_back(&explained);
  }
  std::stable_sort(groups.begin(), groups.end(),
                   [](const Group& a, const Group& b) { return a.size() > b.size(); });
  return groups;
}

class Blocks {
 public:
  Blocks(const ExplainFacts& facts, const SourceReader& source, const Style& style)
      : facts_(facts), source_(source), style_(style) {}

  std::string text() {
    for (const Group& group : groups_of(facts_.explained)) {
      if (group.size() > 1) add_heading(group);
      for (const KnownDependence* explained : group) add_block(*explained);
    }
    return std::move(text_);
  }

 private:
  void add(const FlowLine& line) { text_ += line.render(style_); }

  static FlowLine labelled(std::string_view label) {
    FlowLine line(kIndent, kIndent + kLabel);
    line.glue(fmt::format("{:<{}}", label, kLabel), Ink::dim);
    return line;
  }

  void add_heading(const Group& group) {
    std::vector<Role> roles;
    for (const KnownDependence* explained : group) roles.push_back(explained->dependence.role);
    FlowLine line(0, 2);
    add(line.sentence(group_text(roles, group.front()->explained().carriers), Ink::bold));
    text_ += "\n";
  }

  void add_block(const KnownDependence& explained) {
    const Dependence& d = explained.dependence;
    const Explanation& e = explained.explained();
    add_headline(d);
    add_results(d);
    add_behind(d, e);
    for (const Carrier& carrier : e.carriers) add_carrier(carrier);
    add_proof(explained);
    add_commands(d, e);
    text_ += "\n";
  }

  void add_headline(const Dependence& d) {
    FlowLine line(0, 4);
    line.glue(to_string(d.id), Ink::bold).glue("  ");
    line.name(printable_name(facts_.suite.test(d.test)), Ink::bold);
    add_claim(line, d, facts_.suite, "  ");
    add(line);
  }

  /// `expected` is the result in the default order, as everywhere; where that is the bad one, the
  /// other one needs a word.
  void add_results(const Dependence& d) {
    const bool known =
        d.expected.kind != OutcomeKind::not_run && d.expected.kind != OutcomeKind::lost;
    const bool is_alone = known && d.observed_order().size() < d.witness.size();
    FlowLine expected = labelled("expected"), observed = labelled("observed");
    add_result(expected, known ? d.expected : d.alone, style_);
    add_result(observed, known ? d.observed() : d.witnessed, style_);
    if (is_alone) observed.word("(alone)", Ink::dim, "  ");
    add(expected);
    add(observed);
  }

  /// The order that was run, where that is not the witness alone.
  void add_behind(const Dependence& d, const Explanation& e) {
    if (e.behind.empty()) return;
    std::vector<std::string> names;
    for (const std::string& name : e.behind) names.push_back(sanitize_line(name));
    const std::string first = fmt::format("{}", fmt::join(names, ", "));
    for (TestId test : d.witness) names.push_back(printable_name(facts_.suite.test(test)));
    FlowLine line = labelled("seen in");
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (i > 0) line.glue(",").word("");
      line.name(names[i]);
    }
    line.word("(", Ink::dim, "   ").name(first, Ink::dim);
    line.sentence("first, so that the carrier is there before)", Ink::dim);
    add(line);
  }

  void add_carrier(const Carrier& carrier) {
    FlowLine line = labelled(carrier.proved ? "carrier" : "suspect");
    line.name(sanitize_line(carrier.key.text()), Ink::bold);
    const std::string details = carrier_details(carrier);
    if (!details.empty()) line.word("", Ink::plain, "  ").name(details);
    line.word(carrier.proved ? "proved" : "suspected", carrier.proved ? Ink::green : Ink::yellow,
              "   ");
    add(line);
    const int indent = kIndent + kLabel;
    const std::string values = values_text(carrier, indent, style_);
    if (!values.empty()) text_ += fmt::format("{:{}}{}\n", "", indent, values);
    if (carrier.write) text_ += written_text(*carrier.write, source_, style_, kIndent, kLabel);
    if (carrier.read) text_ += read_text(*carrier.read, source_, style_, kIndent, kLabel);
  }

  void add_proof(const KnownDependence& explained) {
    const Explanation& e = explained.explained();
    FlowLine line = labelled(e.proved || !e.carriers.empty() ? "proof" : "carrier");
    const std::string words =
        e.proved ? proof_text(explained.dependence, e, facts_.suite) : no_proof_text(e);
    line.continued(words, e.proved ? Ink::plain : Ink::yellow);
    if (!e.proved && e.changes > 0) {
      line.sentence(fmt::format("(the tests before left {} of program state changed)",
                                count_of(e.changes, "piece")),
                    Ink::dim);
    }
    add(line);
    if (!e.no_sites.empty()) {
      add(labelled("note").continued("no lines: " + sanitize_line(e.no_sites), Ink::yellow));
    }
    if (!explained.age) return;
    add(labelled("note").continued(
        fmt::format("explained {}; --again explains it anew", ago(*explained.age)), Ink::dim));
  }

  /// Not through add(): a command is copied, so it is neither broken nor cut.
  void add_command(std::string_view label, const std::string& command) {
    StyledLine line;
    line.add(fmt::format("{:{}}{:<{}}", "", kIndent, label, kLabel), Ink::dim);
    text_ += line.add(sanitize_line(command), Ink::cyan).render(style_) + "\n";
  }

  void add_commands(const Dependence& d, const Explanation& e) {
    DetectFacts stored;
    stored.db = facts_.db;
    const std::string replay = replay_command(d, stored);
    if (replay.empty()) return;
    add_command("replay", replay);
    const std::string_view at = debug_stop(d, e);
    if (!at.empty() && !facts_.suite.runtime().no_debugger)
      add_command("debug", fmt::format("{} --debugger gdb --at {}", replay, at));
  }

  /// Where a debugger can stop: the closest to the cause that is known.
  static std::string_view debug_stop(const Dependence& d, const Explanation& e) {
    for (const Carrier& carrier : e.carriers) {
      if (carrier.read) return "read";
    }
    for (const Carrier& carrier : e.carriers) {
      if (carrier.write) return "write";
    }
    const bool fails = is_failure(d.witnessed.kind) || is_failure(d.alone.kind);
    return fails ? "failure" : "";
  }

  const ExplainFacts& facts_;
  const SourceReader& source_;
  const Style& style_;
  std::string text_;
};

/// What can be done about it: the first one that a patch may be made for.
std::string next_text(std::span<const ExplainFacts> binaries, const Style& style) {
  for (const ExplainFacts& facts : binaries) {
    if (facts.suite.runtime().no_patches || facts.explained.empty()) continue;
    DetectFacts stored;
    stored.db = facts.db;
    const std::string command = fix_command(facts.explained.front().dependence, stored);
    if (command.empty()) continue;
    FlowLine line(0, 2);
    line.word("Next:").word(sanitize_line(command), Ink::cyan);
    return line.sentence("makes a patch and verifies it, in a copy of the project.").render(style);
  }
  return "";
}

}  // namespace

std::string explanation_blocks(const ExplainFacts& facts, const SourceReader& source,
                               const Style& style) {
  return Blocks(facts, source, style).text();
}

std::string explain_verdict(std::span<const ExplainFacts> binaries, const Style& style) {
  std::vector<const Explanation*> all;
  for (const ExplainFacts& facts : binaries) {
    for (const KnownDependence& explained : facts.explained) {
      all.push_back(&explained.explained());
    }
  }
  const bool proved = std::all_of(all.begin(), all.end(), [](const auto* e) { return e->proved; });
  const std::string verdict =
      FlowLine(0, 2)
          .sentence(explained_sentence(all), proved ? Ink::green : Ink::yellow)
          .render(style);
  return next_text(binaries, style) + verdict;
}

}  // namespace gordian
