// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "report/explain_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "model/explanation.h"
#include "report/detect_report.h"
#include "report/outcome_text.h"
#include "report/source_files.h"
#include "report/terminal_style.h"
#include "report/text.h"

namespace gordian {
namespace {

constexpr int kNeighbours = 2;  // lines of source on either side

constexpr int kExplainIndent = 2;
constexpr int kExplainLabel = 10;  // "expected  "
constexpr int kExplainText = kExplainIndent + kExplainLabel;

/// Tabs would shift what stands behind them.
std::string without_tabs(const std::string& line) {
  std::string out;
  for (char c : line) out += c == '\t' ? std::string("    ") : std::string(1, c);
  return sanitize_line(out);
}

std::string excerpt_text(const StackFrame& frame, const SourceReader& source, const Style& style,
                         int indent) {
  const std::vector<std::string>& lines = source(frame.file);
  const int count = static_cast<int>(lines.size());
  if (frame.line < 1 || frame.line > count) return {};
  const int first = std::max(frame.line - kNeighbours, 1);
  const int last = std::min(frame.line + kNeighbours, count);
  const int digits = static_cast<int>(std::to_string(last).size());
  std::string out;
  for (int n = first; n <= last; ++n) {
    const bool here = n == frame.line;
    StyledLine line;
    line.add(std::string(static_cast<std::size_t>(indent), ' ')).add(here ? "> " : "  ", Ink::bold);
    line.add(fmt::format("{:>{}} | ", n, digits), Ink::dim);
    line.add(without_tabs(lines[static_cast<std::size_t>(n - 1)]), here ? Ink::bold : Ink::plain);
    std::string text = line.render(style, style.width > 0 ? std::max(style.width - 1, 1) : 0);
    while (text.ends_with(' ')) text.pop_back();
    out += text + "\n";
  }
  return out;
}

/// Which of several accesses this is.
std::string times_text(const Site& site, bool write) {
  std::string by = sanitize_line(site.test);
  if (site.times <= 1 && !site.times_capped) return by.empty() ? "" : "by " + by;
  std::string which = fmt::format("{} of {}{}", write ? "the last" : "the first",
                                  site.times_capped ? "at least " : "",
                                  count_of(site.times, write ? "write" : "read"));
  if (write && site.times_capped) which += ", there may be later ones";
  return by.empty() ? which : which + " by " + by;
}

std::string callers_text(const Site& site, const Style& style, int indent) {
  std::string out;
  for (const StackLine& caller : callers(site)) {
    FlowLine line(indent, indent + 4);
    line.glue("called from ", Ink::dim);
    if (caller.frame == nullptr) {
      line.continued(folded_text(caller), Ink::dim);
    } else {
      line.name(frame_text(*caller.frame));
    }
    out += line.render(style);
  }
  return out;
}

std::string through_text(const Site& site, const Style& style, int indent) {
  const StackLine inner = inner_frames(site);
  if (inner.folded == 0) return {};
  FlowLine line(indent, indent + 4);
  line.glue("through ", Ink::dim).name(short_function(*inner.frame));
  std::string more = inner.library.empty() ? "" : sanitize_line(inner.library);
  if (inner.folded > 1) more += fmt::format("{}{} frames", more.empty() ? "" : ", ", inner.folded);
  if (!more.empty()) line.word("(" + more + ")", Ink::dim);
  return line.render(style);
}

std::string site_text(std::string_view label, const Site& site, bool write,
                      const SourceReader& source, const Style& style) {
  FlowLine line = labelled_line(label, kExplainIndent, kExplainLabel);
  StackFrame shown;
  if (site.shown < site.stack.size()) shown = site.stack[site.shown];
  line.name(site.stack.empty() ? "at an unknown place" : frame_text(shown), Ink::cyan);
  const std::string times = times_text(site, write);
  if (!times.empty()) line.word("", Ink::plain, "  ").continued(times, Ink::dim);
  return line.render(style) + excerpt_text(shown, source, style, kExplainText) +
         through_text(site, style, kExplainText) + callers_text(site, style, kExplainText);
}

using ExplainedGroup = std::vector<const Dependence*>;

/// What makes carriers the same: suspicions make nothing.
std::string carriers_key(const Dependence& explained) {
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
std::vector<ExplainedGroup> carrier_groups_of(const std::vector<Dependence>& all) {
  std::vector<ExplainedGroup> groups;
  std::map<std::string, std::size_t> index;
  for (const Dependence& explained : all) {
    const std::string key = carriers_key(explained);
    auto [it, is_new] = index.emplace(key, groups.size());
    if (is_new || key.empty()) it->second = groups.size();
    if (is_new || key.empty()) groups.emplace_back();
    groups[it->second].push_back(&explained);
  }
  std::stable_sort(
      groups.begin(), groups.end(),
      [](const ExplainedGroup& a, const ExplainedGroup& b) { return a.size() > b.size(); });
  return groups;
}

class ExplanationBlocks {
 public:
  ExplanationBlocks(const ExplainFacts& facts, const SourceReader& source, const Style& style)
      : facts_(facts), source_(source), style_(style) {}

  std::string text() {
    for (const ExplainedGroup& group : carrier_groups_of(facts_.explained)) {
      if (group.size() > 1) add_heading(group);
      for (const Dependence* explained : group) add_block(*explained);
    }
    return std::move(text_);
  }

 private:
  void add(const FlowLine& line) { text_ += line.render(style_); }

  static FlowLine labelled(std::string_view label) {
    return labelled_line(label, kExplainIndent, kExplainLabel);
  }

  void add_heading(const ExplainedGroup& group) {
    std::vector<Role> roles;
    for (const Dependence* explained : group) roles.push_back(explained->role);
    FlowLine line(0, 2);
    add(line.sentence(group_text(roles, group.front()->explained().carriers), Ink::bold));
    text_ += "\n";
  }

  void add_block(const Dependence& d) {
    const Explanation& e = d.explained();
    add(dependence_headline(d, facts_.suite));
    add_results(d);
    add_behind(d, e);
    for (const Carrier& carrier : e.carriers) add_carrier(carrier);
    add_proof(d);
    add_commands(d, e);
    text_ += "\n";
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
    const std::string values = values_text(carrier, kExplainText, style_);
    if (!values.empty()) text_ += fmt::format("{:{}}{}\n", "", kExplainText, values);
    if (carrier.write) text_ += site_text("written", *carrier.write, true, source_, style_);
    if (carrier.read) text_ += site_text("read", *carrier.read, false, source_, style_);
  }

  void add_proof(const Dependence& d) {
    const Explanation& e = d.explained();
    FlowLine line = labelled(e.proved || !e.carriers.empty() ? "proof" : "carrier");
    const std::string words = e.proved ? proof_text(d, e, facts_.suite) : no_proof_text(e);
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
    if (!e.age) return;
    add(labelled("note").continued(
        fmt::format("explained {}; --again explains it anew", ago(*e.age)), Ink::dim));
  }

  /// Not through add(): a command is copied, so it is neither broken nor cut.
  void add_command(std::string_view label, const std::string& command) {
    StyledLine line;
    line.add(fmt::format("{:{}}{:<{}}", "", kExplainIndent, label, kExplainLabel), Ink::dim);
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
std::string explain_next_text(std::span<const ExplainFacts> binaries, const Style& style) {
  for (const ExplainFacts& facts : binaries) {
    if (facts.suite.runtime().no_patches || facts.explained.empty()) continue;
    DetectFacts stored;
    stored.db = facts.db;
    const std::string command = fix_command(facts.explained.front(), stored);
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
  return ExplanationBlocks(facts, source, style).text();
}

std::string explain_verdict(std::span<const ExplainFacts> binaries, const Style& style) {
  std::vector<const Explanation*> all;
  for (const ExplainFacts& facts : binaries) {
    for (const Dependence& explained : facts.explained) {
      all.push_back(&explained.explained());
    }
  }
  const bool proved = std::all_of(all.begin(), all.end(), [](const auto* e) { return e->proved; });
  const std::string verdict =
      FlowLine(0, 2)
          .sentence(explained_sentence(all), proved ? Ink::green : Ink::yellow)
          .render(style);
  return explain_next_text(binaries, style) + verdict;
}

}  // namespace gordian
