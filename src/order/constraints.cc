// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "order/constraints.h"

#include <algorithm>

#include "model/declared.h"

namespace gordian {
namespace {

bool contains(const std::vector<TestId>& tests, TestId test) {
  return std::find(tests.begin(), tests.end(), test) != tests.end();
}

/// All that the default order runs before it.
Order default_predecessors(const Suite& suite, TestId test) {
  Order before = suite.default_order();
  before.erase(std::find(before.begin(), before.end(), test), before.end());
  return before;
}

/// The single tests of `d` after which alone its result is as witnessed; `by` if it is none of
/// them.
std::vector<Order> sequences_of(const Dependence& d) {
  std::vector<Order> list = {d.by};
  for (TestId single : d.singles) {
    if (d.by != Order{single}) list.push_back({single});
  }
  return list;
}

Constraint avoiding(const Dependence& d, const std::vector<TestId>& otherwise) {
  Constraint constraint{d.test, Constraint::Kind::avoids, {}, d.id};
  for (Order& sequence : sequences_of(d)) {
    const bool tried = sequence == d.by;
    constraint.sequences.push_back(
        {std::move(sequence), tried ? d.cleaners : std::vector<TestId>{}});
  }
  for (TestId other : otherwise) constraint.sequences.push_back({{other}, {}});
  return constraint;
}

/// The one whose end stands last before the test in the default order comes first: only of it is
/// anything known about the tests between.
Constraint needing(const Dependence& d) {
  Constraint constraint{d.test, Constraint::Kind::needs, {}, d.id};
  std::vector<Order> sequences = sequences_of(d);
  auto closeness = [&d](const Order& sequence) {
    return sequence.back() < d.test ? static_cast<std::int64_t>(sequence.back().value()) : -1;
  };
  std::stable_sort(sequences.begin(), sequences.end(),
                   [&](const Order& a, const Order& b) { return closeness(a) > closeness(b); });
  for (Order& tests : sequences) {
    Constraint::Sequence sequence{std::move(tests), d.cleaners};
    sequence.wary = !d.cleaners_complete;
    const bool closest = constraint.sequences.empty() && closeness(sequence.tests) >= 0;
    if (closest) sequence.trusted_after = sequence.tests.back(), sequence.trusted_before = d.test;
    constraint.sequences.push_back(std::move(sequence));
  }
  return constraint;
}

/// Tests that alone before it give yet another result than those that the dependence names.
std::vector<TestId> otherwise(const Dependence& d, const ChangedPairs& changed) {
  std::vector<TestId> tests;
  for (const auto& [first, second] : changed) {
    if (second != d.test || first == d.test || d.by == Order{first}) continue;
    if (!contains(d.singles, first) && !contains(tests, first)) tests.push_back(first);
  }
  return tests;
}

Constraint constraint_of(const Suite& suite, const Dependence& d, const ChangedPairs& changed) {
  if (same_result(d.expected, d.alone)) return avoiding(d, otherwise(d, changed));
  if (same_result(d.expected, d.witnessed)) return needing(d);
  Constraint::Sequence all{default_predecessors(suite, d.test), {}};
  all.wary = true;
  return {d.test, Constraint::Kind::needs, {std::move(all)}, d.id};
}

}  // namespace

Constraints::Constraints(const Suite& suite, std::span<const Dependence> known,
                         const ChangedPairs& changed) {
  of_.resize(suite.size());
  for (const Dependence& one : known) list_.push_back(constraint_of(suite, one, changed));
  const Declared declared(suite);
  for (std::uint32_t t = 0; declared.any() && t < suite.size(); ++t) {
    for (TestId before : declared.needed_by(TestId{t})) {
      list_.push_back({TestId{t}, Constraint::Kind::needs, {{{before}, {}}}, kNoDependence});
    }
  }
  index();
}

Constraints::Constraints(std::size_t tests, std::vector<Constraint> list) : list_(std::move(list)) {
  of_.resize(tests);
  index();
}

void Constraints::index() {
  touched_.resize(of_.size());
  for (std::size_t c = 0; c < list_.size(); ++c) {
    of_[list_[c].test.value()].push_back(c);
    const auto& sequences = list_[c].sequences;
    if (std::any_of(sequences.begin(), sequences.end(), [](auto& s) { return s.wary; })) {
      wary_.push_back(c);
      continue;
    }
    for (const Constraint::Sequence& sequence : sequences) {
      for (TestId test : sequence.tests) touched_[test.value()].push_back(c);
      for (TestId test : sequence.undone_by) touched_[test.value()].push_back(c);
    }
  }
  for (std::vector<std::size_t>& list : touched_) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
}

bool Constraint::Sequence::undone_by_test(TestId test) const {
  if (contains(undone_by, test)) return true;
  return wary && !(trusted_after < test && test < trusted_before);
}

ProcessPast::ProcessPast(const Constraints& constraints) : constraints_(&constraints) {
  for (const Constraint& c : constraints.all()) past_.emplace_back(c.sequences.size());
}

void ProcessPast::step(const Constraint& constraint, std::vector<Progress>& past, TestId test) {
  for (std::size_t s = 0; s < past.size(); ++s) {
    const Constraint::Sequence& sequence = constraint.sequences[s];
    Progress& progress = past[s];
    if (sequence.tests.empty()) continue;
    const std::size_t last = sequence.tests.size() - 1;
    const bool expected = test == sequence.tests[progress.seen];
    const bool wanted = constraint.kind == Constraint::Kind::needs;
    if (sequence.undone_by_test(test) && !(wanted && expected)) {
      progress.there = false;
      // Half a sequence may be undone as well: then it would not serve.
      if (wanted) progress.seen = 0;
    }
    if (test != sequence.tests[progress.seen]) continue;
    if (progress.seen == last) progress.there = true;
    if (progress.seen < last) ++progress.seen;
  }
}

bool ProcessPast::kept(const Constraint& constraint, const std::vector<Progress>& past) {
  const bool any = std::any_of(past.begin(), past.end(), [](const Progress& p) { return p.there; });
  if (constraint.kind == Constraint::Kind::avoids) return !any;
  // Nothing before it is a sequence, too: of the first test of the default order.
  return any || std::any_of(constraint.sequences.begin(), constraint.sequences.end(),
                            [](const Constraint::Sequence& s) { return s.tests.empty(); });
}

void ProcessPast::run(TestId test) {
  constraints_->for_each_touched_by(
      test, [&](std::size_t c) { step(constraints_->all()[c], past_[c], test); });
}

bool ProcessPast::kept(std::size_t constraint) const {
  return kept(constraints_->all()[constraint], past_[constraint]);
}

bool ProcessPast::welcomes(TestId test) const {
  const std::vector<std::size_t>& mine = constraints_->of(test);
  return std::all_of(mine.begin(), mine.end(), [this](std::size_t c) { return kept(c); });
}

bool ProcessPast::would_break(std::size_t constraint, TestId test) const {
  if (!kept(constraint)) return false;
  std::vector<Progress> after = past_[constraint];
  step(constraints_->all()[constraint], after, test);
  return !kept(constraints_->all()[constraint], after);
}

}  // namespace gordian
