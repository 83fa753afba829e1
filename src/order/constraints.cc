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

class ScheduleBuilder {
 public:
  ScheduleBuilder(const ScheduleRequest& request, Ranking& ranking)
      : constraints_(request.constraints),
        ranking_(ranking),
        tests_(request.tests),
        facts_(constraints_.tests()),
        past_(constraints_) {
    for (TestId test : request.helpers) of(test).standing = Standing::helper;
    for (TestId test : request.tests) of(test).standing = Standing::open;
    left_ = request.tests.size();
  }

  Schedule run() {
    while (left_ > 0) {
      begin_process();
      const std::size_t before = left_;
      while (auto best = ranking_.best()) {
        if (!place(*best)) ranking_.set_aside(*best);
      }
      if (left_ == before) give_up();
      if (!process_.order.empty()) schedule_.processes.push_back(std::move(process_));
      if (schedule_.processes.size() == 1) note_moved();
      ranking_.bring_back();
    }
    return std::move(schedule_);
  }

 private:
  enum class Standing : std::uint8_t { foreign, helper, open, placed };
  struct Facts {
    Standing standing = Standing::foreign;
    bool here = false;         ///< has run in this process
    bool in_progress = false;  ///< something is being placed for its sake
    bool given_up = false;     ///< others may spoil it in this process
    std::size_t kept_out = 0;  ///< by this constraint, when it could not be placed
  };

  Facts& of(TestId test) { return facts_[test.value()]; }

  void begin_process() {
    process_ = {};
    past_ = ProcessPast(constraints_);
    for (Facts& facts : facts_) facts.here = facts.given_up = false;
  }

  void append(TestId test, bool extra) {
    process_.order.push_back(test);
    process_.extra.push_back(extra);
    past_.run(test);
    of(test).here = true;
    if (extra) return;
    of(test).standing = Standing::placed;
    --left_;
    ranking_.take(test);
  }

  /// Places it into this process, after whatever that takes. What was placed on the way stays, even
  /// if this fails in the end: it has its own constraints kept.
  bool place(TestId test) {
    Facts& facts = of(test);
    if (facts.here) return true;
    if (facts.in_progress || facts.standing == Standing::foreign) return false;
    const bool extra = facts.standing != Standing::open;
    facts.in_progress = true;
    bool ready = false;
    // Each round that changes something places or gives up a test: it ends.
    do {
      ready = extra || make_ready(test);
    } while (ready && spare_others(test));
    facts.in_progress = false;
    if (!ready || hurts_somebody_waiting(test)) return false;
    append(test, extra);
    return true;
  }

  bool make_ready(TestId test) {
    for (std::size_t c : constraints_.of(test)) {
      if (past_.kept(c)) continue;
      const bool needs = constraints_.all()[c].kind == Constraint::Kind::needs;
      if (needs ? serve(c) : clean(c)) continue;
      of(test).kept_out = c;
      return false;
    }
    // Serving one may have hurt another.
    for (std::size_t c : constraints_.of(test)) {
      if (past_.kept(c)) continue;
      of(test).kept_out = c;
      return false;
    }
    return true;
  }

  /// Tests that `test` would spoil run before it, or are given up for this process. True if there
  /// were any.
  bool spare_others(TestId test) {
    bool changed = false;
    constraints_.for_each_touched_by(test, [&](std::size_t c) {
      const TestId other = constraints_.all()[c].test;
      Facts& facts = of(other);
      const bool cares = facts.standing == Standing::open && !facts.in_progress &&
                         !facts.given_up && !facts.here && other != test;
      if (!cares || !past_.would_break(c, test)) return;
      if (!place(other)) facts.given_up = true;
      changed = true;
    });
    return changed;
  }

  /// Whether somebody is left who undoes what `test` would do to a test that avoids it.
  bool can_be_cleaned(std::size_t c, TestId test) {
    const Constraint& constraint = constraints_.all()[c];
    const auto& list = constraint.sequences;
    auto is_left = [&](TestId cleaner) {
      const Facts& facts = of(cleaner);
      return !facts.here && !facts.in_progress && facts.standing != Standing::foreign;
    };
    return constraint.kind == Constraint::Kind::avoids &&
           std::all_of(list.begin(), list.end(), [&](const Constraint::Sequence& sequence) {
             return sequence.tests.back() != test ||
                    std::any_of(sequence.undone_by.begin(), sequence.undone_by.end(), is_left);
           });
  }

  /// Whether it would break what a test already has for whose sake something is being placed.
  bool hurts_somebody_waiting(TestId test) {
    bool hurts = false;
    constraints_.for_each_touched_by(test, [&](std::size_t c) {
      const TestId other = constraints_.all()[c].test;
      if (!of(other).in_progress || other == test || !past_.would_break(c, test)) return;
      if (can_be_cleaned(c, test)) return;
      of(test).kept_out = c;
      hurts = true;
    });
    return hurts;
  }

  /// Runs one of the sequences that it needs; those that take the fewest extra runs first.
  bool serve(std::size_t c) {
    const Constraint& constraint = constraints_.all()[c];
    std::vector<std::pair<std::size_t, std::size_t>> choices;  // cost, sequence
    for (std::size_t s = 0; s < constraint.sequences.size(); ++s) {
      std::size_t extra = 0, more = 0;
      for (TestId test : constraint.sequences[s].tests) {
        if (of(test).here) continue;
        ++(of(test).standing == Standing::open ? more : extra);
      }
      choices.emplace_back(extra * facts_.size() + more, s);
    }
    std::sort(choices.begin(), choices.end());
    return std::any_of(choices.begin(), choices.end(), [&](const auto& choice) {
      const Order& tests = constraint.sequences[choice.second].tests;
      return std::all_of(tests.begin(), tests.end(), [this](TestId t) { return place(t); }) &&
             past_.kept(c);
    });
  }

  /// Runs what undoes each sequence that is there.
  bool clean(std::size_t c) {
    const Constraint& constraint = constraints_.all()[c];
    for (std::size_t s = 0; s < constraint.sequences.size(); ++s) {
      const std::vector<TestId>& cleaners = constraint.sequences[s].undone_by;
      for (std::size_t i = 0; i < cleaners.size() && past_.there(c, s); ++i) {
        if (!of(cleaners[i]).here) place(cleaners[i]);
      }
    }
    return past_.kept(c);
  }

  void note_moved() {
    for (TestId test : tests_) {
      if (of(test).standing == Standing::open) {
        schedule_.moved.push_back({test, of(test).kept_out});
      }
    }
  }

  /// Not even a process of its own serves any of those that are left.
  void give_up() {
    if (!process_.order.empty()) begin_process();
    for (TestId test : tests_) {
      if (of(test).standing != Standing::open) continue;
      schedule_.impossible.push_back({test, of(test).kept_out});
      append(test, false);
      schedule_.processes.push_back(std::move(process_));
      begin_process();
    }
  }

  const Constraints& constraints_;
  Ranking& ranking_;
  const Order& tests_;
  std::vector<Facts> facts_;
  ProcessPast past_;
  ProcessOrder process_;
  Schedule schedule_;
  std::size_t left_ = 0;
};

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

Schedule make_schedule(const ScheduleRequest& request, Ranking& ranking) {
  return ScheduleBuilder(request, ranking).run();
}

}  // namespace gordian
