// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "detect/judge.h"

#include <algorithm>
#include <chrono>
#include <iterator>

#include "detect/baseline.h"
#include "detect/minimise.h"

namespace gordian {
namespace {

/// How often an order that wavers is run in all, for its rate.
constexpr int kRunsForRate = 20;

/// Three repeats of a test that fails by the toss of a coin look like a dependence once in 64
/// times; as many as these once in 65,536, and are run where they cost little.
constexpr int kFreshRuns = 8;
constexpr auto kLittle = std::chrono::seconds(2);
/// Rates are no verdict: a test that takes longer gets on with fewer runs.
constexpr auto kWorthARate = std::chrono::seconds(10);
/// Polluters of a crash that are looked at one by one.
constexpr std::size_t kMostCrashes = 16;

constexpr const char* kTooFew =
    "what it did could not be confirmed: too few of its runs had a result";
constexpr const char* kNotAgain = "what it did could not be confirmed: it did not come back";

Order with(Order before, TestId last) {
  before.push_back(last);
  return before;
}

/// The order was run as far as it goes: to its last test, or to one that ended the process.
bool was_run(const Suite& suite, const OrderRun& run) {
  if (is_known(run.runs.back().outcome)) return true;
  return std::any_of(run.runs.begin(), run.runs.end(),
                     [&suite](const TestRun& test) { return ends_its_order(suite, test.outcome); });
}

}  // namespace

Role role_of(const Outcome& alone, const Outcome& witnessed, const Order& by, TestId test) {
  if (by == Order{test}) return Role::self_dependent;
  bool helped = alone.kind != OutcomeKind::pass && witnessed.kind == OutcomeKind::pass;
  return helped ? Role::brittle : Role::victim;
}

void drop_what_brittle_implies(std::vector<Dependence>& dependences) {
  std::set<TestId> brittle;
  for (const Dependence& one : dependences) {
    if (one.role == Role::brittle) brittle.insert(one.test);
  }
  std::erase_if(dependences, [&brittle](const Dependence& one) {
    const bool fails_otherwise = one.role == Role::victim && one.passes_after.empty();
    const bool sets_its_state =
        one.role == Role::self_dependent && one.witnessed.kind == OutcomeKind::pass;
    return (fails_otherwise || sets_its_state) && brittle.contains(one.test);
  });
}

bool splits_suites(const Suite& suite, const Order& order) {
  std::set<std::string> left;
  for (std::size_t i = 1; i < order.size(); ++i) {
    const std::string &before = suite.test(order[i - 1]).suite, &now = suite.test(order[i]).suite;
    if (before == now) continue;
    left.insert(before);
    if (left.contains(now)) return true;
  }
  return false;
}

void Judge::Verdict::add(Verdict other) {
  std::move(other.dependences.begin(), other.dependences.end(), std::back_inserter(dependences));
  std::move(other.open.begin(), other.open.end(), std::back_inserter(open));
  if (other.nondeterministic) nondeterministic = std::move(other.nondeterministic);
}

Judge::Verdict Judge::not_steady(const Repeated& repeated, Order order, const Outcome& observed) {
  if (repeated.wavers) return {{}, repeated.wavers, {}};
  return {{}, {}, {{std::move(order), observed, kTooFew}}};
}

/// A run whose process ended before the test tells nothing of it, and is made up for by another.
Result<Judge::Repeated> Judge::repeat(const Order& order, const Outcome& wanted) {
  auto outcomes = lab_.repeat(order, confirmations_);
  if (!outcomes) return outcomes.error();
  auto as_wanted = [&wanted](const Outcome& o) { return same_result(o, wanted); };
  if (std::all_of(outcomes->begin(), outcomes->end(), as_wanted)) return Repeated{true, {}};
  auto more = lab_.repeat(order, std::max(0, kRunsForRate - confirmations_));
  if (!more) return more.error();
  outcomes->insert(outcomes->end(), more->begin(), more->end());
  std::erase_if(*outcomes, [](const Outcome& o) { return !is_known(o); });
  if (std::all_of(outcomes->begin(), outcomes->end(), as_wanted)) {
    return Repeated{outcomes->size() >= static_cast<std::size_t>(confirmations_), {}};
  }
  outcomes->push_back(wanted);  // the run that raised the suspicion counts too
  return Repeated{false, describe_nondeterministic(order.back(), order, *outcomes)};
}

Result<Judge::Repeated> Judge::check_alone(TestId test) {
  if (!knowledge_.alone(test)) {
    auto outcome = lab_.repeat({test}, 1);
    if (!outcome) return outcome.error();
    if (!is_known(outcome->front())) return Repeated{};
    knowledge_.set_alone(test, outcome->front());
  }
  return repeat({test}, *knowledge_.alone(test));
}

/// Each of the three orders must be stable by itself; that of the suspicion each time anew.
Result<Judge::Repeated> Judge::check_steady(const Suspicion& suspicion) {
  const TestId test = suspicion.order.back();
  auto repeated = repeat(suspicion.order, suspicion.observed);
  if (!repeated || !repeated->stable || steady_.contains(test)) return repeated;
  repeated = repeat(with(knowledge_.default_predecessors(test), test), *knowledge_.expected(test));
  if (!repeated || !repeated->stable) return repeated;
  repeated = check_alone(test);
  if (repeated && repeated->stable) steady_.insert(test);
  return repeated;
}

std::vector<Judge::Candidate> Judge::candidates(const Suspicion& suspicion) const {
  const TestId test = suspicion.order.back();
  const Outcome& alone = *knowledge_.alone(test);
  std::vector<Candidate> result;
  auto consider = [&](Order before, const Outcome& outcome) {
    const bool itself = before == Order{test};
    const bool known = knowledge_.accounted(test, outcome, itself);
    if (!same_result(outcome, alone) && !known) result.push_back({std::move(before), outcome});
  };
  consider(Order(suspicion.order.begin(), suspicion.order.end() - 1), suspicion.observed);
  const Outcome& expected = *knowledge_.expected(test);
  const bool one_result = !suspicion.behind_itself() && same_result(expected, suspicion.observed);
  if (!one_result) consider(knowledge_.default_predecessors(test), expected);
  if (alone.kind == OutcomeKind::pass) return result;
  auto passes = [](const Candidate& one) { return one.result.kind == OutcomeKind::pass; };
  auto itself = [test](const Candidate& one) { return one.before == Order{test}; };
  Outcome pass;
  pass.kind = OutcomeKind::pass;
  const bool is_brittle = knowledge_.accounted(test, pass, false) ||
                          std::any_of(result.begin(), result.end(), [&](const Candidate& one) {
                            return passes(one) && !itself(one);
                          });
  std::erase_if(result,
                [&](const Candidate& one) { return is_brittle && passes(one) == itself(one); });
  return result;
}

Result<Judge::Verdict> Judge::examine(const Suspicion& suspicion) {
  auto steady = check_steady(suspicion);
  if (!steady) return steady.error();
  if (!steady->stable) return not_steady(*steady, suspicion.order, suspicion.observed);
  Verdict all;
  for (const Candidate& candidate : candidates(suspicion)) {
    auto verdict = prove(suspicion.order.back(), candidate, suspicion.algorithm);
    if (!verdict) return verdict;
    all.add(std::move(*verdict));
    if (all.nondeterministic) return all;
  }
  return all;
}

Dependence Judge::begin_dependence(TestId test, const Outcome& witnessed,
                                   const std::string& algorithm) const {
  Dependence found;
  found.test = test;
  found.expected = *knowledge_.expected(test);
  found.alone = *knowledge_.alone(test);
  found.witnessed = witnessed;
  found.found_by = algorithm;
  return found;
}

/// The shortest way there, confirmed.
Result<Judge::Verdict> Judge::prove(TestId test, const Candidate& candidate,
                                    const std::string& algorithm) {
  const Order whole = with(candidate.before, test);
  auto by = minimise(lab_, candidate.before, test, candidate.result);
  if (!by) return by.error();
  if (!*by || (*by)->empty()) {  // now it is not there any more: once more, for its rate
    auto again = repeat(whole, candidate.result);
    if (!again) return again.error();
    if (!again->stable) return not_steady(*again, whole, candidate.result);
    return Verdict{{}, {}, {{whole, candidate.result, kNotAgain}}};
  }
  Dependence found = begin_dependence(test, candidate.result, algorithm);
  set_by(found, **by);
  auto still = repeat(found.witness, candidate.result);
  if (!still) return still.error();
  if (!still->stable) return not_steady(*still, whole, candidate.result);
  found.confirmed = confirmations_;
  if (found.by.size() == 1) found.singles = found.by;
  return confirm_fresh(std::move(found));
}

/// The orders that a dependence rests on, and what their last test did in fresh processes.
struct Judge::FreshRuns {
  struct Side {
    Order order;
    Outcome wanted;
    std::vector<Outcome> seen{};

    bool as_wanted() const {
      return std::all_of(seen.begin(), seen.end(),
                         [this](const Outcome& o) { return same_result(o, wanted); });
    }
  };
  std::vector<Side> sides;
  std::size_t rounds = 0;

  bool as_wanted() const {
    return std::all_of(sides.begin(), sides.end(),
                       [](const Side& side) { return side.as_wanted(); });
  }
  std::size_t fewest() const {
    std::size_t fewest = SIZE_MAX;
    for (const Side& side : sides) fewest = std::min(fewest, side.seen.size());
    return fewest;
  }
};

/// In turns, so that whatever else goes on in the machine meets all of them.
Status Judge::run_fresh(FreshRuns& runs, int times) {
  std::vector<Order> orders;
  for (int i = 0; i < times; ++i) {
    for (const auto& side : runs.sides) orders.push_back(side.order);
  }
  if (orders.empty()) return {};
  auto outcomes = lab_.last_outcomes_in_fresh(orders);
  if (!outcomes) return outcomes.error();
  for (std::size_t i = 0; i < outcomes->size(); ++i) {
    auto& side = runs.sides[i % runs.sides.size()];
    if (is_known((*outcomes)[i])) side.seen.push_back(std::move((*outcomes)[i]));
  }
  return {};
}

Result<Judge::Verdict> Judge::confirm_fresh(Dependence found) {
  if (lab_.always_fresh()) {  // so were all the repeats
    found.fresh = confirmations_;
    return Verdict{{std::move(found)}, {}, {}};
  }
  FreshRuns runs{{{with(found.by, found.test), found.witnessed}, {{found.test}, found.alone}}};
  if (!found.passes_after.empty()) {
    Outcome pass;
    pass.kind = OutcomeKind::pass;
    runs.sides.push_back({with(found.passes_after, found.test), pass});
  }
  const auto since = std::chrono::steady_clock::now();
  auto elapsed = [&since] { return std::chrono::steady_clock::now() - since; };
  if (Status ran = run_fresh(runs, confirmations_); !ran) return ran.error();
  const int more = kFreshRuns - confirmations_;
  if (runs.as_wanted() && more > 0 && elapsed() < kLittle) {
    if (Status ran = run_fresh(runs, more); !ran) return ran.error();
  }
  const bool enough = runs.fewest() >= static_cast<std::size_t>(confirmations_);
  if (runs.as_wanted() && enough) {
    found.fresh = confirmations_;  // at least
    return Verdict{{std::move(found)}, {}, {}};
  }
  if (runs.as_wanted()) return Verdict{{}, {}, {{found.witness, found.witnessed, kTooFew}}};
  const int for_rate = kRunsForRate - static_cast<int>(runs.sides.front().seen.size());
  if (for_rate > 0 && elapsed() < kWorthARate) {
    if (Status ran = run_fresh(runs, for_rate); !ran) return ran.error();
  }
  return Verdict{{},
                 describe_nondeterministic_in_fresh(found.test, runs.sides[0].order,
                                                    runs.sides[0].seen, runs.sides[1].seen),
                 {}};
}

Result<std::optional<NondeterministicTest>> Judge::wavers_by_itself(
    TestId test, const std::vector<Dependence>& known) {
  if (auto repeated = check_alone(test); !repeated || repeated->wavers) {
    if (!repeated) return repeated.error();
    return repeated->wavers;
  }
  if (!knowledge_.alone(test)) return std::optional<NondeterministicTest>();
  struct Repeat {
    Order order;
    Outcome wanted;
    int times;
  };
  std::vector<Repeat> places{{{test}, *knowledge_.alone(test), kRunsForRate},
                             {with(knowledge_.default_predecessors(test), test),
                              *knowledge_.expected(test), confirmations_}};
  for (const Dependence& one : known) {
    if (one.test == test) places.push_back({with(one.by, test), one.witnessed, kRunsForRate});
  }
  for (const Repeat& place : places) {
    auto outcomes = lab_.repeat(place.order, place.times);
    if (!outcomes) return outcomes.error();
    std::erase_if(*outcomes, [](const Outcome& one) { return !is_known(one); });
    const bool steady = std::all_of(outcomes->begin(), outcomes->end(), [&](const Outcome& one) {
      return same_result(one, place.wanted);
    });
    if (steady) continue;
    outcomes->push_back(place.wanted);
    return std::optional(describe_nondeterministic(test, place.order, *outcomes));
  }
  return std::optional<NondeterministicTest>();
}

/// One test more, before and behind: orders of three.
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
      if (!was_run(lab_.suite(), run)) return std::optional<std::vector<TestId>>();
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

void Judge::set_by(Dependence& dependence, Order by) const {
  dependence.by = std::move(by);
  // With what it declares: that is what was run, and what a replay has to run.
  dependence.witness = lab_.declared().complete(with(dependence.by, dependence.test)).order;
  dependence.role = role_of(dependence.alone, dependence.witnessed, dependence.by, dependence.test);
  dependence.splits_suite = splits_suites(lab_.suite(), dependence.witness);
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
  Outcome good = dependence.alone;
  if (!dependence.passes_after.empty()) good = Outcome{}, good.kind = OutcomeKind::pass;
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
      good);
  if (!cleaners) return cleaners.error();
  if (!*cleaners) return {};
  dependence.cleaners = std::move(**cleaners);
  dependence.cleaners_complete = true;
  return {};
}

}  // namespace gordian
