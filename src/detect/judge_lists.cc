// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What is asked of a dependence once it is known: its shortest witness, all its polluters and
// cleaners, what spoils a brittle test, and where crashes are.
#include <algorithm>
#include <set>

#include "detect/judge.h"
#include "detect/lab.h"

namespace gordian {
namespace {

/// Polluters of a crash that are looked at one by one.
constexpr std::size_t kMostCrashes = 16;

/// The order was run as far as it goes: to its last test, or to one that ended the process.
bool was_run_before(const Suite& suite, const OrderRun& run) {
  if (is_known(run.runs.back().outcome)) return true;
  return std::any_of(run.runs.begin(), run.runs.end(),
                     [&suite](const TestRun& test) { return ends_its_order(suite, test.outcome); });
}

}  // namespace

/// One test more, before and after: orders of three.
Result<Judge::Verdict> Judge::find_spoilers(const Dependence& brittle) {
  const TestId test = brittle.test;
  // Which two tests it needs hangs on which were found first; which single one does not.
  if (brittle.singles.empty()) return Verdict{};
  const Order base{brittle.singles.front()};
  std::vector<Order> orders;
  for (TestId other : knowledge_.tests()) {
    if (other == test || std::find(base.begin(), base.end(), other) != base.end()) continue;
    Order first{other};
    first.insert(first.end(), base.begin(), base.end());
    for (const Order& before : {with(base, other), first}) {
      if (lab_.declared().is_lawful(with(before, test))) orders.push_back(with(before, test));
    }
  }
  auto outcomes = lab_.last_outcomes(orders);
  if (!outcomes) return outcomes.error();
  Verdict all;
  std::vector<Outcome> tried;
  for (std::size_t i = 0; i < orders.size(); ++i) {
    const Outcome& seen = (*outcomes)[i];
    if (seen.kind == OutcomeKind::lost) all.open.push_back({orders[i], seen, seen.message});
    auto same = [&](const Outcome& one) { return same_result(one, seen); };
    const bool news = is_known(seen) && seen.kind != OutcomeKind::pass &&
                      !same_result(seen, brittle.alone) &&
                      std::none_of(tried.begin(), tried.end(), same);
    if (!news) continue;
    tried.push_back(seen);
    auto stable = repeat(orders[i], seen);
    if (!stable) return stable.error();
    if (!stable->stable) {
      all.add(not_steady(*stable, orders[i], seen));
      if (all.nondeterministic) return all;
      continue;
    }
    Dependence found = begin_dependence(test, seen, brittle.found_by);
    set_by(found, Order(orders[i].begin(), orders[i].end() - 1));
    found.passes_after = base;
    found.confirmed = confirmations_;
    // None is enough without those that it needs. Of several that are, with them, one is told.
    std::set<TestId> spoilers;
    for (std::size_t j = 0; j < orders.size(); ++j) {
      if (same((*outcomes)[j])) spoilers.insert(orders[j][orders[j][0] == base[0] ? 1 : 0]);
    }
    found.singles_complete = spoilers.size() == 1;
    auto verdict = confirm_fresh(std::move(found));
    if (!verdict) return verdict;
    all.add(std::move(*verdict));
    if (all.nondeterministic) return all;
  }
  return all;
}

/// The same each time, or not told: what is used after it was freed crashes anywhere.
Outcome Judge::steady_crash_place(const Order& order, const Outcome& crash) {
  Outcome placed = lab_.with_crash_place(order, crash);
  for (int i = 1; i < confirmations_ && !placed.message.empty(); ++i) {
    if (lab_.should_stop()) return crash;
    const Outcome again = lab_.with_crash_place(order, crash);
    if (again.message.empty() || !same_crash_place(placed, again)) return crash;
  }
  return placed;
}

/// All or nothing: polluters are moved to another dependence once that is confirmed.
Result<Judge::Verdict> Judge::tell_crashes_apart(Dependence& known) {
  Dependence found = known;
  found.witnessed = steady_crash_place(with(found.by, found.test), found.witnessed);
  if (found.witnessed.message.empty()) return Verdict{};
  std::vector<TestId> here;
  std::vector<Dependence> elsewhere;
  for (std::size_t i = 0; i < found.singles.size(); ++i) {
    const TestId single = found.singles[i];
    Dependence other = found;
    if (i < kMostCrashes && Order{single} != found.by) {
      other.witnessed = steady_crash_place({single, found.test}, known.witnessed);
    }
    if (lab_.should_stop()) return Verdict{};
    if (same_dependence(other, found)) {
      here.push_back(single);
      continue;
    }
    auto same = std::find_if(elsewhere.begin(), elsewhere.end(),
                             [&](const Dependence& one) { return same_dependence(one, other); });
    if (same != elsewhere.end()) {
      same->singles.push_back(single);
      continue;
    }
    set_by(other, {single});
    other.singles = {single};
    other.cleaners.clear();
    other.cleaners_complete = false;
    elsewhere.push_back(std::move(other));
  }
  found.singles = std::move(here);
  note_unseen_places(found);
  Verdict all;
  for (Dependence& other : elsewhere) {
    auto verdict = confirm_fresh(std::move(other));
    if (!verdict) return verdict;
    all.add(std::move(*verdict));
    if (all.nondeterministic) return all;
  }
  if (all.open.empty()) known = std::move(found);
  if (!all.open.empty()) all.dependences.clear();
  return all;
}

/// Where the rest of many polluters make it crash was not looked at.
void Judge::note_unseen_places(Dependence& found) {
  const bool is_placed =
      found.witnessed.kind == OutcomeKind::crash && !found.witnessed.message.empty();
  if (is_placed && found.singles.size() > kMostCrashes) found.singles_complete = false;
}

Result<std::optional<std::vector<TestId>>> Judge::confirmed(
    const std::vector<TestId>& candidates, const std::function<Order(TestId)>& order_of,
    const Outcome& wanted) {
  std::vector<TestId> left = candidates;
  for (int round = 0; round < confirmations_ && !left.empty(); ++round) {
    std::vector<Order> orders;
    for (TestId id : left) orders.push_back(order_of(id));
    auto runs = lab_.run(orders, OrderRunner::Shape::flat);
    if (!runs) return runs.error();
    std::vector<TestId> kept;
    for (std::size_t i = 0; i < left.size(); ++i) {
      const OrderRun& run = (*runs)[i];
      if (!was_run_before(lab_.suite(), run)) return std::optional<std::vector<TestId>>();
      if (same_result(run.runs.back().outcome, wanted)) kept.push_back(left[i]);
    }
    left = std::move(kept);
  }
  return std::optional(left);
}

Status Judge::complete_singles(Dependence& dependence) {
  if (!dependence.passes_after.empty()) return {};
  const TestId test = dependence.test;
  std::vector<TestId> candidates;
  for (TestId first : knowledge_.tests()) {
    if (knowledge_.ends_process(first)) continue;
    if (first == test && dependence.role != Role::self_dependent) continue;
    if (lab_.declared().before(test, first)) continue;
    bool known = first != test && knowledge_.pair_covered(first, test);
    if (!known || Order{first} == dependence.by) candidates.push_back(first);
  }
  for (TestId first : knowledge_.firsts_giving(test, dependence.witnessed)) {
    if (first == test) continue;  // a test that also changes itself is no polluter of itself
    if (std::find(candidates.begin(), candidates.end(), first) == candidates.end()) {
      candidates.push_back(first);
    }
  }
  std::sort(candidates.begin(), candidates.end());
  auto singles = confirmed(
      candidates,
      [test](TestId first) {
        return Order{first, test};
      },
      dependence.witnessed);
  if (!singles) return singles.error();
  if (!*singles) return {};
  dependence.singles = std::move(**singles);
  dependence.singles_complete = true;
  note_unseen_places(dependence);
  const bool longer_than_needed = dependence.by.size() > 1 && !dependence.singles.empty();
  if (!longer_than_needed) return {};
  return replace_witness(dependence, {dependence.singles.front()});
}

/// By one that is stable in forks; it has to be so in fresh processes too.
Status Judge::replace_witness(Dependence& dependence, Order by) {
  Dependence other = dependence;
  set_by(other, std::move(by));
  auto verdict = confirm_fresh(std::move(other));
  if (!verdict) return verdict.error();
  if (!verdict->dependences.empty()) dependence = std::move(verdict->dependences.front());
  return {};
}

Status Judge::shorten(Dependence& dependence, const Order& order) {
  if (!dependence.passes_after.empty()) return {};
  Order before(order.begin(), order.end() - 1);
  auto by = minimise(lab_, before, dependence.test, dependence.witnessed);
  if (!by) return by.error();
  if (!*by || (*by)->empty() || (*by)->size() >= dependence.by.size()) return {};
  auto repeated = repeat(with(**by, dependence.test), dependence.witnessed);
  if (!repeated) return repeated.error();
  if (!repeated->stable) return {};
  return replace_witness(dependence, **by);
}

Status Judge::complete_cleaners(Dependence& dependence) {
  if (dependence.role != Role::victim) return {};
  auto known = known_cleaners_.find(dependence.witness);
  auto tried_before = [&](TestId id) {
    if (known == known_cleaners_.end() || !knowledge_.settled(id)) return false;
    return std::find(known->second.begin(), known->second.end(), id) == known->second.end();
  };
  std::vector<TestId> candidates;
  for (TestId id : knowledge_.tests()) {
    if (tried_before(id)) continue;
    const Order& witness = dependence.witness;
    bool part_of_it = std::find(witness.begin(), witness.end(), id) != witness.end();
    bool lawful = lab_.declared().is_lawful(with(with(dependence.by, id), dependence.test));
    if (!part_of_it && lawful) candidates.push_back(id);  // also what ends the process alone
  }
  auto cleaners = confirmed(
      candidates,
      [&dependence](TestId cleaner) {
        Order order = dependence.by;
        order.push_back(cleaner);
        order.push_back(dependence.test);
        return order;
      },
      good_result(dependence));
  if (!cleaners) return cleaners.error();
  if (!*cleaners) return {};
  dependence.cleaners = std::move(**cleaners);
  dependence.cleaners_complete = true;
  return {};
}

}  // namespace gordian
