// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "detect/judge.h"

#include <algorithm>
#include <chrono>
#include <iterator>

#include "detect/lab.h"

namespace gordian {
namespace {

/// How often an order with differing results is run in all, for its rate.
constexpr int kRunsForRate = 20;

/// Three repeats of a test that fails by the toss of a coin look like a dependence once in 64
/// times; as many as these once in 65,536, and are run where they cost little.
constexpr int kFreshRuns = 8;
constexpr auto kLittle = std::chrono::seconds(2);
/// Rates are no verdict: a test that takes longer gets on with fewer runs.
constexpr auto kWorthARate = std::chrono::seconds(10);

constexpr const char* kTooFew =
    "what it did could not be confirmed: too few of its runs had a result";
constexpr const char* kNotAgain = "what it did could not be confirmed: it did not come back";

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

Order Judge::with(Order before, TestId last) {
  before.push_back(last);
  return before;
}

Judge::Verdict Judge::not_steady(const Repeated& repeated, Order order, const Outcome& observed) {
  if (repeated.nondeterministic) return {{}, repeated.nondeterministic, {}};
  return {{}, {}, {{std::move(order), observed, kTooFew}}};
}

/// A run whose process ended before the test tells nothing of it, and is made up for by another.
Result<Judge::Repeated> Judge::repeat(const Order& order, const Outcome& wanted) {
  auto outcomes = lab_.repeat(order, confirmations_);
  if (!outcomes) return outcomes.error();
  if (all_like(*outcomes, wanted)) return Repeated{true, {}};
  auto more = lab_.repeat(order, std::max(0, kRunsForRate - confirmations_));
  if (!more) return more.error();
  outcomes->insert(outcomes->end(), more->begin(), more->end());
  std::erase_if(*outcomes, [](const Outcome& o) { return !is_known(o); });
  if (all_like(*outcomes, wanted)) {
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
  const bool is_brittle = knowledge_.accounted(test, passed(), false) ||
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

    bool as_wanted() const { return all_like(seen, wanted); }
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
    runs.sides.push_back({with(found.passes_after, found.test), passed()});
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

Result<std::optional<NondeterministicTest>> Judge::is_nondeterministic_by_itself(
    TestId test, const std::vector<Dependence>& known) {
  if (auto repeated = check_alone(test); !repeated || repeated->nondeterministic) {
    if (!repeated) return repeated.error();
    return repeated->nondeterministic;
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
    if (all_like(*outcomes, place.wanted)) continue;
    outcomes->push_back(place.wanted);
    return std::optional(describe_nondeterministic(test, place.order, *outcomes));
  }
  return std::optional<NondeterministicTest>();
}

void Judge::set_by(Dependence& dependence, Order by) const {
  dependence.by = std::move(by);
  // With what it declares: that is what was run, and what a replay has to run.
  dependence.witness = lab_.declared().complete(with(dependence.by, dependence.test)).order;
  dependence.role = role_of(dependence.alone, dependence.witnessed, dependence.by, dependence.test);
  dependence.splits_suite = splits_suites(lab_.suite(), dependence.witness);
}

}  // namespace gordian
