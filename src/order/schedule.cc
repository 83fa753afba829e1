// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "order/schedule.h"

#include <algorithm>

namespace gordian {
namespace {

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

Schedule make_schedule(const ScheduleRequest& request, Ranking& ranking) {
  return ScheduleBuilder(request, ranking).run();
}

}  // namespace gordian
