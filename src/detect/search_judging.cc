// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What a search makes of results: which are suspect, what the judge says of these, and what is left
// open.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "detect/search.h"

namespace gordian {
namespace {

/// Orders in which a test is nondeterministic because of others; what comes then is left open.
constexpr std::size_t kMostExcused = 12;

constexpr const char* kNoTime = "there was no time left to confirm what it did";

bool is_behind_itself(const Order& order) {
  return order.size() == 2 && order[0] == order[1];
}

}  // namespace

bool Search::is_suspect(const Order& order, std::size_t position, const Outcome& outcome) const {
  const TestId test = order[position];
  const auto standing = knowledge_.standing(test);
  const bool dependent = standing == Knowledge::Standing::dependent;
  const auto &expected = knowledge_.expected(test), &alone = knowledge_.alone(test);
  if (!expected || (standing != Knowledge::Standing::open && !dependent)) return false;
  const std::span before(order.data(), position);
  const bool itself = position == 1 && order[0] == test;
  if (position == 0 && alone && !same_result(outcome, *alone)) return true;
  if (is_excused(before, test)) return false;
  if (!itself && same_result(outcome, *expected)) return false;
  // Twice in a row it is held against the first time, which was one alone.
  if ((itself || dependent) && alone && same_result(outcome, *alone)) return false;
  return !knowledge_.accounted(test, outcome, itself);
}

/// All of one list stand before the test.
bool Search::is_excused(std::span<const TestId> before, TestId test) const {
  auto known = excused_.find(test);
  if (known == excused_.end()) return false;
  return std::any_of(known->second.begin(), known->second.end(), [&](const Order& list) {
    auto at = before.begin();
    for (TestId one : list) {
      at = std::find(at, before.end(), one);
      if (at == before.end()) return false;
      ++at;
    }
    return true;
  });
}

/// What it does alone is judged by what it does alone each time, not by a result after others.
bool Search::is_judged(const Order& order, const Outcome& outcome) const {
  const TestId test = order.back();
  if (knowledge_.standing(test) == Knowledge::Standing::nondeterministic) return true;
  const auto& alone = knowledge_.alone(test);
  if (order.size() == 1 && alone && !same_result(outcome, *alone)) return false;
  return knowledge_.accounted(test, outcome, is_behind_itself(order)) ||
         is_excused(std::span(order).first(order.size() - 1), test);
}

void Search::note(const OrderRun& run, PhaseKind phase, Suspects& suspects) {
  note_unseen(run);
  for (std::size_t i = 0; i < run.runs.size(); ++i) {
    const TestId test = run.order[i];
    const Outcome& outcome = run.runs[i].outcome;
    if (!is_known(outcome)) break;  // the process has ended: nothing is known of the rest
    if (ends_its_order(lab_.suite(), outcome)) knowledge_.note_ended(test);
    if (i == 0 && !knowledge_.alone(test)) knowledge_.set_alone(test, outcome);
    const bool suspect = is_suspect(run.order, i, outcome);
    if (i == 1) note_pair(run.order[0], test, outcome, suspect);
    if (knowledge_.standing(test) == Knowledge::Standing::dependent) note_shorter(run, i);
    if (!suspect) continue;
    Order prefix(run.order.begin(), run.order.begin() + static_cast<std::ptrdiff_t>(i + 1));
    Suspicion suspicion{std::move(prefix), outcome, std::string(to_string(phase))};
    std::vector<Suspicion>& known = suspects[test];
    auto same = std::find_if(known.begin(), known.end(), [&](const Suspicion& one) {
      return one.behind_itself() == suspicion.behind_itself() && same_result(one.observed, outcome);
    });
    if (same == known.end()) {
      known.push_back(std::move(suspicion));
      continue;
    }
    if (suspicion.order.size() < same->order.size()) std::swap(same->order, suspicion.order);
    if (same->others.size() < Suspicion::kMostOthers) {
      same->others.push_back(std::move(suspicion.order));
    } else {
      same->has_more = true;
    }
  }
}

/// Lost results, and of orders that all count those of tests which had to be left out. What a test
/// that ends its process hides is counted elsewhere: hidden_pairs().
void Search::note_unseen(const OrderRun& run) {
  auto unseen = std::find_if(run.runs.begin(), run.runs.end(), [this](const TestRun& test) {
    const bool left_out =
        test.outcome.kind == OutcomeKind::not_run && !test.outcome.message.empty();
    return test.outcome.kind == OutcomeKind::lost || (left_out && each_counts_);
  });
  if (unseen == run.runs.end()) return;
  ++lost_;
  if (unseen_.size() >= kMostUnseen) return;
  auto end = run.order.begin() + (unseen - run.runs.begin()) + 1;
  unseen_.emplace(Order(run.order.begin(), end), unseen->outcome.message);
}

void Search::leave_open(const Order& order, const Outcome& observed, std::string why) {
  std::vector<OpenResult>& open = open_[order.back()];
  auto same = std::find_if(open.begin(), open.end(), [&](const OpenResult& one) {
    return is_behind_itself(one.order.order) == is_behind_itself(order) &&
           same_result(one.observed, observed);
  });
  if (same == open.end()) same = open.insert(open.end(), {observed, {order, {}}});
  if (order.size() <= same->order.order.size()) same->order = {order, std::move(why)};
}

void Search::leave_open(const std::vector<Judge::Open>& open) {
  for (const Judge::Open& one : open) {
    leave_open(one.order, one.observed, should_stop() ? kNoTime : one.why);
  }
}

/// A result that raises a suspicion counts once it was judged: else an end in between would leave
/// the pair covered and the dependence unknown.
void Search::note_pair(TestId first, TestId second, const Outcome& outcome, bool suspect) {
  if (suspect) {
    unjudged_[second].emplace_back(first, outcome);
    return;
  }
  // What is nondeterministic is no change that a list of polluters could name.
  const auto& alone = knowledge_.alone(second);
  const bool wavers = alone && is_excused({&first, 1}, second);
  knowledge_.note_pair(first, second, wavers ? *alone : outcome);
}

void Search::note_judged(TestId test) {
  auto& pairs = unjudged_[test];
  std::erase_if(pairs, [&](const auto& pair) {
    if (!is_judged({pair.first, test}, pair.second)) return false;
    note_pair(pair.first, test, pair.second, false);
    return true;
  });
  if (pairs.empty()) unjudged_.erase(test);
  auto open = open_.find(test);
  if (open == open_.end()) return;
  std::erase_if(open->second,
                [&](const OpenResult& one) { return is_judged(one.order.order, one.observed); });
  if (open->second.empty()) open_.erase(open);
}

void Search::add(Dependence found) {
  const bool itself = found.role == Role::self_dependent;
  knowledge_.account(found.test, found.witnessed, itself);
  knowledge_.set_standing(found.test, Knowledge::Standing::dependent);
  suspected_.erase(found.test);
  for (const Dependence& known : facts_.dependences) {
    if (same_dependence(known, found)) return;
  }
  found.id = DependenceId{static_cast<int>(facts_.dependences.size()) + 1};
  facts_.dependences.push_back(std::move(found));
  listener_.found(facts_.dependences.back());
}

/// What was called dependent before it was seen to be nondeterministic is taken back. So is what
/// earlier phases have seen, if it ended processes meanwhile: orders after it were left out, or cut
/// off.
void Search::add(const NondeterministicTest& found) {
  knowledge_.set_standing(found.test, Knowledge::Standing::nondeterministic);
  for (const Outcome& outcome : {found.usual, found.other}) {
    if (ends_its_process(outcome)) knowledge_.note_ended(found.test);
  }
  if (is_hidden(2)) distrust_phases();
  suspected_.erase(found.test);
  std::erase_if(facts_.dependences, [&](const Dependence& one) { return one.test == found.test; });
  shorter_.clear();
  facts_.nondeterministic.push_back(found);
  listener_.found_nondeterministic(found);
}

void Search::note_shorter(const OrderRun& run, std::size_t position) {
  const TestId test = run.order[position];
  for (std::size_t i = 0; i < facts_.dependences.size(); ++i) {
    const Dependence& known = facts_.dependences[i];
    // Behind itself it is in another role, and what it needs to pass is not left out.
    const bool itself = position == 1 && run.order[0] == test;
    if (known.test != test || itself != (known.role == Role::self_dependent)) continue;
    auto it = shorter_.find(i);
    std::size_t best = it == shorter_.end() ? known.witness.size() : it->second.size();
    bool better = position > 0 && position + 1 < best &&
                  same_result(run.runs[position].outcome, known.witnessed);
    if (!better) continue;
    auto end = run.order.begin() + static_cast<std::ptrdiff_t>(position + 1);
    shorter_.insert_or_assign(i, Order(run.order.begin(), end));
  }
}

Status Search::judge(Suspects& suspects) {
  if (Status done = shorten_witnesses(); !done) return done;
  for (auto& [test, list] : suspects) {
    for (const Suspicion& suspicion : list) {
      if (!is_suspect(suspicion.order, suspicion.order.size() - 1, suspicion.observed)) continue;
      suspected_.insert_or_assign(
          test,
          SuspectedTest{test, suspicion.order, *knowledge_.expected(test), suspicion.observed});
      if (Status done = judge(suspicion); !done) return done;
      if (Status done = judge_others(suspicion); !done) return done;
    }
    note_judged(test);
    if (!open_.contains(test) && !should_stop()) journal_.store_now(knowledge_, facts_);
  }
  progress_.doing.clear();
  return {};
}

Status Search::judge(const Suspicion& suspicion) {
  const TestId test = suspicion.order.back();
  const bool itself = suspicion.behind_itself();
  auto leave_it_open = [&](const char* why) {
    leave_open(suspicion.order, suspicion.observed, why);
    return Status();
  };
  if (should_stop()) return leave_it_open(kNoTime);
  // That it passes, or what it does to itself, decides what it is: that is always judged.
  const bool decides = itself || suspicion.observed.kind == OutcomeKind::pass;
  if (!decides && knowledge_.enough_accounted(test)) {
    return leave_it_open("so many other results of it were judged that this one was not");
  }
  progress_.doing = "confirming " + lab_.suite().test(test).full_name();
  beat();
  auto verdict = judge_.examine(suspicion);
  if (!verdict) return verdict.error();
  for (Dependence& found : verdict->dependences) add(std::move(found));
  // Runs that were cut off tell nothing.
  if (should_stop() && verdict->dependences.empty()) return leave_it_open(kNoTime);
  leave_open(verdict->open);
  if (verdict->nondeterministic) return note_nondeterministic(*verdict->nondeterministic);
  const bool open = std::any_of(
      verdict->open.begin(), verdict->open.end(),
      [&](const Judge::Open& one) { return same_result(one.observed, suspicion.observed); });
  if (open) return {};
  knowledge_.account(test, suspicion.observed, itself);
  suspected_.erase(test);
  return {};
}

/// One order with a result stands for all of them, unless that one is excused.
Status Search::judge_others(const Suspicion& suspicion) {
  const TestId test = suspicion.order.back();
  auto is_done = [&] {
    const std::span before(suspicion.order.data(), suspicion.order.size() - 1);
    return !is_excused(before, test) ||
           knowledge_.standing(test) == Knowledge::Standing::nondeterministic ||
           knowledge_.accounted(test, suspicion.observed, suspicion.behind_itself());
  };
  for (const Order& other : suspicion.others) {
    if (is_done()) return {};
    if (!is_suspect(other, other.size() - 1, suspicion.observed)) continue;
    Status done = judge(Suspicion{other, suspicion.observed, suspicion.algorithm});
    if (!done) return done;
  }
  if (suspicion.has_more && !is_done()) {
    ++lost_;
    unseen_.emplace(suspicion.others.back(),
                    "its result wavers behind others, in more orders than were looked at");
  }
  return {};
}

Status Search::note_nondeterministic(const NondeterministicTest& found) {
  const TestId test = found.test;
  const Order& order = found.order;
  auto has_one = [test](const Dependence& one) { return one.test == test; };
  auto wavers = [this](TestId one) {
    return knowledge_.standing(one) == Knowledge::Standing::nondeterministic;
  };
  Order before(order.begin(), order.empty() ? order.end() : order.end() - 1);
  Order blamed;
  std::copy_if(before.begin(), before.end(), std::back_inserter(blamed), wavers);
  const bool is_known = std::any_of(facts_.dependences.begin(), facts_.dependences.end(), has_one);
  const bool by_itself = before.empty() || before == Order{test} ||
                         before == knowledge_.default_predecessors(test) ||
                         found.alone_differ > 0 || (blamed.empty() && !is_known);
  if (by_itself) {
    add(found);
    return {};
  }
  auto again = judge_.is_nondeterministic_by_itself(test, facts_.dependences);
  if (!again) return again.error();
  if (*again) {
    add(**again);
    return {};
  }
  std::vector<Order>& excused = excused_[test];
  if (should_stop() || excused.size() >= kMostExcused) {
    leave_open(order, found.other, should_stop() ? kNoTime : "its result wavers behind others");
    return {};
  }
  excused.push_back(blamed.empty() ? before : blamed);
  suspected_.erase(test);
  tell(
      fmt::format("{} changed its result in {} of {} runs behind {}{}, and never alone, by default "
                  "or in a witness: what runs before it wavers, and no dependence is told of that",
                  lab_.suite().test(test).full_name(), found.differ, found.runs,
                  lab_.suite().test(excused.back().front()).full_name(),
                  excused.back().size() > 1 ? " and others" : ""));
  return {};
}

}  // namespace gordian
