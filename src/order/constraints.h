// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What known dependences demand of the tests that share a process.
//
// A dependent test has one result alone and another one behind its witness. Which of the two is the
// expected one decides what it wants, whatever its role is called:
//   as alone      it avoids the sequences that change it, unless what undoes them is between
//   as witnessed  it needs such a sequence before it, and nothing between that is known to undo it
//   neither       it needs all that the default order runs before it, and nothing else
// What the authors of tests have declared (model/declared.h) is needed, too.
//
// A sequence that is avoided is there once its tests have run in that order, whatever ran between.
// What undoes it (a cleaner) is believed only of the sequence with which it was tried.
// Of a sequence that is needed nobody has tried what would undo it. The tests that the default
// order runs between its end and the test do not: they ran there, and the result was the expected
// one. All others are distrusted. So in doubt a test that avoids something counts as hurt, and one
// that needs something as not served. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "model/dependence.h"
#include "model/rank_facts.h"
#include "model/test.h"
#include "order/ranking.h"

namespace gordian {

/// Pairs of tests, first and second, whose second has another result than alone if it runs directly
/// after the first.
using ChangedPairs = std::vector<std::pair<TestId, TestId>>;

struct Constraint {
  enum class Kind : std::uint8_t { avoids, needs };
  struct Sequence {
    Order tests;
    std::vector<TestId> undone_by;
    /// Undone by any test, but for those that stand between these two in the default order.
    bool wary = false;
    TestId trusted_after{}, trusted_before{};

    bool undone_by_test(TestId test) const;
  };

  TestId test;
  Kind kind = Kind::avoids;
  std::vector<Sequence> sequences;  ///< avoids: none of them; needs: one of them
  DependenceId dependence;          ///< none: declared by the authors
};

class Constraints {
 public:
  Constraints() = default;
  /// For tests of this suite. Of `changed` count pairs that the dependences do not account for:
  /// their second tests give yet another result, neither as alone nor as witnessed.
  Constraints(const Suite& suite, std::span<const Dependence> known,
              const ChangedPairs& changed = {});
  /// Of so many tests.
  Constraints(std::size_t tests, std::vector<Constraint> list);

  const std::vector<Constraint>& all() const { return list_; }
  std::size_t tests() const { return of_.size(); }
  bool any() const { return !list_.empty(); }
  /// Places in all() of those that `test` has.
  const std::vector<std::size_t>& of(TestId test) const { return of_[test.value()]; }
  /// Calls use(place in all()) for those that `test` may keep or break, once it has run.
  template <class Use>
  void for_each_touched_by(TestId test, Use use) const {
    for (std::size_t c : touched_[test.value()]) use(c);
    for (std::size_t c : wary_) use(c);
  }

 private:
  void index();

  std::vector<Constraint> list_;
  std::vector<std::vector<std::size_t>> of_, touched_;
  std::vector<std::size_t> wary_;  ///< any test may break them; not in touched_
};

/// What has run in one process, as far as constraints ask for it.
class ProcessPast {
 public:
  explicit ProcessPast(const Constraints& constraints);

  void run(TestId test);
  /// Whether this constraint would be kept if its test ran now.
  bool kept(std::size_t constraint) const;
  /// The same of all constraints of a test.
  bool welcomes(TestId test) const;
  /// Whether it is kept now and would no longer be, once `test` has run.
  bool would_break(std::size_t constraint, TestId test) const;
  /// Whether this sequence of it is there, and not undone.
  bool there(std::size_t constraint, std::size_t sequence) const {
    return past_[constraint][sequence].there;
  }

 private:
  struct Progress {
    std::uint32_t seen = 0;  ///< how many of its tests but the last have run, in order
    bool there = false;
  };
  static void step(const Constraint& constraint, std::vector<Progress>& past, TestId test);
  static bool kept(const Constraint& constraint, const std::vector<Progress>& past);

  const Constraints* constraints_;
  std::vector<std::vector<Progress>> past_;
};

// Orders that keep to constraints by construction: a ranking says which test is wanted next, and
// what has to run before it runs before it. That are the tests that it would spoil, the ones that
// it needs, and one that undoes what would hurt it. A test is placed only where its own constraints
// are kept, so every result is as expected as far as is known.
//
// Where demands contradict each other, a test waits for another process: a schedule is one order
// for each of them. A test that runs in a process only because others need it there, though its own
// result was or will be had elsewhere, is extra. A test that no process could serve gets one of its
// own, and is reported. Pure.

/// A test and the constraint (its place in Constraints::all()) that kept it out.
struct KeptOut {
  TestId test;
  std::size_t constraint = 0;
};

struct Schedule {
  std::vector<ProcessOrder> processes;
  std::vector<KeptOut> moved;       ///< out of the first process
  std::vector<KeptOut> impossible;  ///< no process could serve them; each stands alone in one

  Order joined() const { return gordian::joined(processes); }
  std::size_t extras() const { return count_extras(processes); }
};

struct ScheduleRequest {
  const Constraints& constraints;
  Order tests;    ///< each is placed once
  Order helpers;  ///< may be run besides, if a test needs them
};

/// REQUIRES: `ranking` ranks exactly `tests`.
Schedule make_schedule(const ScheduleRequest& request, Ranking& ranking);

}  // namespace gordian
