// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "detect/knowledge.h"

#include <algorithm>

namespace gordian {

bool all_like(std::span<const Outcome> outcomes, const Outcome& wanted) {
  return std::all_of(outcomes.begin(), outcomes.end(),
                     [&wanted](const Outcome& one) { return same_result(one, wanted); });
}

bool ends_its_process(const Outcome& outcome) {
  return outcome.kind == OutcomeKind::crash || outcome.kind == OutcomeKind::timeout ||
         outcome.kind == OutcomeKind::exit;
}

bool ends_its_order(const Suite& suite, const Outcome& outcome) {
  return suite.runtime().one_process && ends_its_process(outcome);
}

Knowledge::Knowledge(const Suite& suite)
    : declared_(suite),
      one_process_(suite.runtime().one_process),
      facts_(suite.size()),
      covered_(suite.size() * suite.size()),
      taken_over_(suite.size() * suite.size()) {}

void Knowledge::set_tests(Order tests) {
  tests_ = std::move(tests);
}

void Knowledge::set_expected(TestId test, Outcome outcome) {
  TestFacts& facts = facts_[test.value()];
  facts.enders_before = enders_;
  if (one_process_ && ends_its_process(outcome)) set_ends_default_order(test);
  facts.expected = std::move(outcome);
  facts.news = true;
}

void Knowledge::set_alone(TestId test, Outcome outcome) {
  if (one_process_ && ends_its_process(outcome)) {
    note_ended(test);
    if (standing(test) != Standing::nondeterministic) set_ends_process(test);
  }
  facts_[test.value()].alone = std::move(outcome);
  facts_[test.value()].news = true;
}

void Knowledge::set_standing(TestId test, Standing standing) {
  TestFacts& facts = facts_[test.value()];
  facts.standing = standing;
  if (standing == Standing::nondeterministic) facts.ends_process = false;
}

void Knowledge::account(TestId test, const Outcome& outcome, bool behind_itself) {
  if (!accounted(test, outcome, behind_itself)) {
    facts_[test.value()].accounted.emplace_back(behind_itself, outcome);
  }
}

bool Knowledge::accounted(TestId test, const Outcome& outcome, bool behind_itself) const {
  const auto& known = facts_[test.value()].accounted;
  return std::any_of(known.begin(), known.end(), [&](const auto& one) {
    return one.first == behind_itself && same_result(one.second, outcome);
  });
}

bool Knowledge::enough_accounted(TestId test) const {
  constexpr std::size_t kMost = 12;
  return facts_[test.value()].accounted.size() >= kMost;
}

void Knowledge::set_ends_process(TestId test) {
  facts_[test.value()].ends_process = facts_[test.value()].may_end_process = true;
}

void Knowledge::set_ends_default_order(TestId test) {
  TestFacts& facts = facts_[test.value()];
  if (facts.ender == 0) facts.ender = ++enders_;
  facts.may_end_process = true;
  note_ended(test);
}

std::vector<TestId> Knowledge::nondeterministic_enders() const {
  std::vector<TestId> enders;
  for (TestId test : tests_) {
    const TestFacts& facts = facts_[test.value()];
    if (facts.has_ended && facts.standing == Standing::nondeterministic) enders.push_back(test);
  }
  return enders;
}

Order Knowledge::tests_that_go_on() const {
  Order order = tests_;
  std::erase_if(order,
                [this](TestId test) { return ends_process(test) || ends_default_order(test); });
  return order;
}

void Knowledge::enders_last(Order& order) const {
  std::stable_partition(order.begin(), order.end(),
                        [this](TestId test) { return !may_end_process(test); });
}

Order Knowledge::default_predecessors(TestId test) const {
  Order before;
  for (TestId other : tests_) {
    if (other == test) break;
    const std::uint32_t ender = facts_[other.value()].ender;
    bool left_out = ender != 0 && ender <= facts_[test.value()].enders_before;
    if (!left_out) before.push_back(other);
  }
  return before;
}

void Knowledge::cover(TestId first, TestId second) {
  auto covered = covered_[pair_index(first, second)];
  facts_[first.value()].covered_behind += first != second && !covered;
  covered = true;
}

void Knowledge::note_pair(TestId first, TestId second, const Outcome& outcome) {
  if (!is_known(outcome)) return;
  cover(first, second);
  facts_[first.value()].news = true;
  const auto& alone_result = alone(second);
  if (alone_result && same_result(*alone_result, outcome)) return;
  changed_[second].emplace_back(first, outcome);
  facts_[second.value()].news = true;
}

void Knowledge::take_over_pair(TestId first, TestId second) {
  cover(first, second);
  auto taken_over = taken_over_[pair_index(first, second)];
  pairs_taken_over_ += first != second && !taken_over;
  taken_over = true;
}

void Knowledge::take_over_change(TestId first, TestId second, const Outcome& outcome) {
  changed_[second].emplace_back(first, outcome);
}

std::vector<TestId> Knowledge::take_news() {
  std::vector<TestId> news;
  for (std::uint32_t i = 0; i < facts_.size(); ++i) {
    if (std::exchange(facts_[i].news, false)) news.push_back(TestId{i});
  }
  return news;
}

std::vector<bool> Knowledge::covered_behind(TestId first) const {
  auto row = covered_.begin() + static_cast<std::ptrdiff_t>(pair_index(first, TestId{0}));
  return {row, row + static_cast<std::ptrdiff_t>(facts_.size())};
}

std::vector<std::pair<TestId, Outcome>> Knowledge::changed_by(TestId second) const {
  auto it = changed_.find(second);
  return it == changed_.end() ? std::vector<std::pair<TestId, Outcome>>() : it->second;
}

/// Nothing ever runs directly after a test that ends the process, and what is declared excludes
/// some pairs: those need no run.
bool Knowledge::pair_covered(TestId first, TestId second) const {
  return covered_[pair_index(first, second)] || ends_process(first) ||
         declared_.before(second, first);
}

std::uint64_t Knowledge::pairs_total() const {
  return tests_.empty() ? 0 : tests_.size() * (tests_.size() - 1);
}

std::uint64_t Knowledge::pairs_covered() const {
  std::uint64_t count = 0;
  for (TestId first : tests_) {
    if (!declared_.any()) {  // there may be millions: they are counted as they come
      const TestFacts& facts = facts_[first.value()];
      count += facts.ends_process ? tests_.size() - 1 : facts.covered_behind;
      continue;
    }
    for (TestId second : tests_) count += first != second && pair_covered(first, second);
  }
  return count;
}

std::vector<TestId> Knowledge::firsts_giving(TestId second, const Outcome& outcome) const {
  std::vector<TestId> firsts;
  auto it = changed_.find(second);
  if (it == changed_.end()) return firsts;
  for (const auto& [first, result] : it->second) {
    if (same_result(result, outcome)) firsts.push_back(first);
  }
  return firsts;
}

}  // namespace gordian
