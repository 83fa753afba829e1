// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What a search knows of each test and each pair of tests. Grows; nothing is taken back. Some of it
// may come from an earlier search: such pairs count as covered and need no run.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "model/declared.h"
#include "model/dependence.h"
#include "model/run.h"

namespace gordian {

class Knowledge {
 public:
  explicit Knowledge(const Suite& suite);

  /// The tests searched, in the default order.
  const Order& tests() const { return tests_; }
  void set_tests(Order tests);

  enum class Standing : std::uint8_t { open, dependent, nondeterministic, left_out };
  Standing standing(TestId test) const { return facts_[test.value()].standing; }
  /// A non-deterministic test that once ended the process alone need not do so again.
  void set_standing(TestId test, Standing standing);

  /// In the default order; nullopt before it was run.
  const std::optional<Outcome>& expected(TestId test) const {
    return facts_[test.value()].expected;
  }
  void set_expected(TestId test, Outcome outcome);
  const std::optional<Outcome>& alone(TestId test) const { return facts_[test.value()].alone; }
  void set_alone(TestId test, Outcome outcome);

  /// It crashes, hangs or exits when run alone: nothing ever runs directly after it.
  bool ends_process(TestId test) const { return facts_[test.value()].ends_process; }
  void set_ends_process(TestId test);
  /// It has ended the process of an order at least once. A non-deterministic test that has done so
  /// hides by chance what would run after it.
  void note_ended(TestId test) { facts_[test.value()].has_ended = one_process_; }
  std::vector<TestId> nondeterministic_enders() const;

  /// It did so in the default order: the expected results of the rest come from that order without
  /// it. Alone it may be harmless, so this says nothing about other orders.
  bool ends_default_order(TestId test) const { return facts_[test.value()].ender != 0; }
  void set_ends_default_order(TestId test);

  /// The default order without what ends the process.
  Order tests_that_go_on() const;

  /// This result of the test, after others or after itself, was judged: seen again it raises no
  /// suspicion. What is told of a test follows from which of its results are known, not from which
  /// came first, so each of them is judged once.
  void account(TestId test, const Outcome& outcome, bool behind_itself);
  bool accounted(TestId test, const Outcome& outcome, bool behind_itself) const;
  /// More results than anybody wants to read of are known: no further one is judged.
  bool enough_accounted(TestId test) const;

  /// It would hide all that follow: long orders are best run with such a test last.
  bool may_end_process(TestId test) const { return facts_[test.value()].may_end_process; }
  void enders_last(Order& order) const;

  /// The order in which `test` showed its expected result: the default one up to it, without what
  /// was known to end the process when that was set.
  Order default_predecessors(TestId test) const;

  /// Notes that `first`, then `second` were run from the start, and what `second` did.
  void note_pair(TestId first, TestId second, const Outcome& outcome);
  bool pair_covered(TestId first, TestId second) const;

  /// The pair was covered by an earlier search.
  void take_over_pair(TestId first, TestId second);
  bool pair_taken_over(TestId first, TestId second) const {
    return taken_over_[pair_index(first, second)];
  }
  /// In an earlier search `second` gave `outcome` after `first`, and another result alone.
  void take_over_change(TestId first, TestId second, const Outcome& outcome);

  /// A test that an earlier search has dealt with: only its orders with tests that are not settled
  /// are new. No test is, unless somebody says so.
  bool settled(TestId test) const { return facts_[test.value()].settled; }
  void set_settled(TestId test) { facts_[test.value()].settled = true; }

  /// Tests of which something has changed since the last call: results, or pairs that they begin.
  std::vector<TestId> take_news();
  /// One bit for each test of the suite: run directly after `first`, which stood first.
  std::vector<bool> covered_behind(TestId first) const;
  std::vector<std::pair<TestId, Outcome>> changed_by(TestId second) const;
  std::uint64_t pairs_total() const;
  std::uint64_t pairs_covered() const;
  /// Without those that an earlier search has covered.
  std::uint64_t pairs_left() const { return pairs_total() - pairs_taken_over_; }
  /// Tests after which `second`, run directly after them, gave `outcome`.
  std::vector<TestId> firsts_giving(TestId second, const Outcome& outcome) const;

 private:
  struct TestFacts {
    Standing standing = Standing::open;
    std::optional<Outcome> expected, alone;
    bool ends_process = false, may_end_process = false, has_ended = false;
    bool settled = false, news = false;
    std::vector<std::pair<bool, Outcome>> accounted;  ///< after itself?
    std::uint32_t ender = 0;                   ///< the how manieth to end the default order; 0: no
    std::uint32_t enders_before = UINT32_MAX;  ///< known when the expected result was set
    std::uint32_t covered_behind = 0;          ///< other tests that were run directly after it
  };
  void cover(TestId first, TestId second);
  std::size_t pair_index(TestId first, TestId second) const {
    return static_cast<std::size_t>(first.value()) * facts_.size() + second.value();
  }

  Order tests_;
  Declared declared_;
  bool one_process_;  ///< an order is one process, which a test can end
  std::vector<TestFacts> facts_;
  std::uint32_t enders_ = 0;
  std::vector<bool> covered_, taken_over_;
  std::uint64_t pairs_taken_over_ = 0;
  /// By second test; also what came before its result alone.
  std::map<TestId, std::vector<std::pair<TestId, Outcome>>> changed_;
};

/// Each has that result.
bool all_like(std::span<const Outcome> outcomes, const Outcome& wanted);

/// A test that ended like this was the last one of its process.
bool ends_its_process(const Outcome& outcome);
/// The same for the order: not where each test is a process of its own.
bool ends_its_order(const Suite& suite, const Outcome& outcome);

}  // namespace gordian
