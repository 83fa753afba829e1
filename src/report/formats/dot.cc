// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Tests and what ties them together as a graph for Graphviz: an arrow from each polluter or
// state-setter to the test that depends on it, with the carrier on it, and a dotted one from each
// cleaner. Tests that take part in no dependence are left out; so are polluters and cleaners of one
// test beyond twenty, and a comment says how many.

#include "report/formats/formats.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "report/detect_report.h"
#include "report/formats/finding.h"
#include "report/text.h"

namespace gordian {
namespace {

constexpr std::size_t kMostArrows = 20;

struct Look {
  std::string_view role, colour;
};
// The strongest part of a test decides its colour.
constexpr Look kVictim{"victim", "#f4b6b6"}, kBrittle{"brittle", "#f7d9a8"},
    kSelfDependent{"self-dependent", "#e3c1ee"}, kPolluter{"polluter", "#b7cdf2"},
    kSetter{"state-setter", "#c6e6ee"}, kCleaner{"cleaner", "#c7e8c3"};

const Look& look_of(Role role) {
  if (role == Role::brittle) return kBrittle;
  return role == Role::self_dependent ? kSelfDependent : kVictim;
}

/// One binary: its tests that take part, and the arrows between them.
class Cluster {
 public:
  Cluster(const ReportedSuite& suite, std::size_t number) : suite_(suite), number_(number) {}

  void add(const Finding& finding) {
    const Dependence& dependence = *finding.dependence;
    look(dependence.test, look_of(dependence.role));
    const std::string carrier = proved_carriers(finding);
    const bool together = dependence.by.size() > 1;
    for (TestId by : dependence.by) {
      look(by, dependence.role == Role::brittle ? kSetter : kPolluter);
      arrow(by, dependence.test, together && carrier.empty() ? "together" : carrier, "penwidth=2");
    }
    add_some(dependence.singles, dependence, dependence.role == Role::brittle ? kSetter : kPolluter,
             "color=gray40");
    add_some(dependence.cleaners, dependence, kCleaner, "style=dotted, arrowhead=empty");
  }

  std::string print() const {
    std::string out =
        fmt::format("  subgraph cluster_{} {{\n    label={};\n", number_,
                    dot_quoted(binary_name(suite_) + ": " + verdict_sentence(suite_.detect)));
    for (const auto& [place, look] : looks_) {
      const Test& test = suite_.detect.suite.tests()[place];
      out += fmt::format("    {} [label={}, tooltip={}, fillcolor=\"{}\"];\n", node(TestId{place}),
                         dot_quoted(short_name(test)), dot_quoted(look->role), look->colour);
    }
    return out + "  }\n" + arrows_;
  }

 private:
  std::string node(TestId id) const { return fmt::format("b{}_t{}", number_, id.value()); }

  /// What a test is first stays: dependent ones are told before those that only take part.
  void look(TestId id, const Look& look) {
    const Look*& now = looks_[id.value()];
    const bool dependent = &look == &kVictim || &look == &kBrittle || &look == &kSelfDependent;
    if (now == nullptr || dependent) now = &look;
  }

  void arrow(TestId from, TestId to, std::string_view label, std::string_view style) {
    arrows_ +=
        fmt::format("  {} -> {} [label={}, {}];\n", node(from), node(to), dot_quoted(label), style);
  }

  /// Those that are not drawn yet, up to a limit.
  void add_some(const std::vector<TestId>& tests, const Dependence& dependence, const Look& role,
                std::string_view style) {
    std::size_t drawn = 0, left_out = 0;
    for (TestId id : tests) {
      if (std::find(dependence.by.begin(), dependence.by.end(), id) != dependence.by.end()) {
        continue;
      }
      if (drawn++ >= kMostArrows) {
        ++left_out;
        continue;
      }
      look(id, role);
      arrow(id, dependence.test, "", style);
    }
    if (left_out == 0) return;
    arrows_ += fmt::format("  // {} more of the role {} for {} are left out\n", left_out, role.role,
                           node(dependence.test));
  }

  const ReportedSuite& suite_;
  std::size_t number_;
  std::map<std::uint32_t, const Look*> looks_;
  std::string arrows_;
};

}  // namespace

std::string report_to_dot(const ReportFacts& facts) {
  std::string out =
      "digraph test_dependence {\n  rankdir=LR;\n  node [shape=box, style=\"rounded,filled\", "
      "fontname=\"sans-serif\"];\n  edge [fontname=\"sans-serif\"];\n";
  const std::vector<Finding> findings = findings_of(facts);
  for (std::size_t i = 0; i < facts.suites.size(); ++i) {
    Cluster cluster(facts.suites[i], i);
    for (const Finding& finding : findings) {
      if (finding.suite == &facts.suites[i]) cluster.add(finding);
    }
    out += cluster.print();
  }
  return out + "}\n";
}

}  // namespace gordian
