// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// How a search goes through its algorithm. `auto`: cheap and telling first, then systematic.
#include <algorithm>
#include <charconv>
#include <utility>

#include "detect/search.h"

namespace gordian {

/// With more time than then, `auto` may try what it could not afford.
bool Search::automatic_is_finished() const {
  const PhaseRecord* then = journal_.left_at({PhaseKind::automatic});
  if (then == nullptr || !then->finished) return false;
  std::int64_t budget = 0;
  std::from_chars(then->mark.data(), then->mark.data() + then->mark.size(), budget);
  return budget == 0 || (request_.budget.count() > 0 && request_.budget.count() <= budget);
}

/// Which lengths an earlier search has exhausted.
void Search::note_exhausted() {
  for (const auto& [key, phase] : journal_.all_left_at()) {
    if (phase.finished && key.all_orders_of() > 0) exhausted_[key.all_orders_of()] = true;
  }
}

Status Search::run_algorithm() {
  const AlgorithmTraits& traits = traits_of(request_.algorithm);
  switch (traits.course) {
    case Course::one_source:
      return explore(*traits.source({lab_.suite(), knowledge_, request_}));
    case Course::by_length:
      return run_lengths(traits);
    case Course::aware:
      collect_alone();
      return run_aware(request_.k);
    case Course::dataflow:
      return run_dataflow();
    case Course::automatic:
      break;
  }
  if (automatic_is_finished()) return {};
  Status done = run_automatic();
  if (done.ok() && !should_stop() && lost_ == 0 && open_.empty() && !is_hidden(2)) {
    journal_.reached({PhaseKind::automatic}, std::to_string(request_.budget.count()), true);
  }
  return done;
}

/// By rising length: what a test does alone is what longer orders are compared with, and the first
/// witness found is a shortest one.
Status Search::run_lengths(const AlgorithmTraits& traits) {
  const int longest = std::min(request_.k, static_cast<int>(knowledge_.tests().size()));
  for (int k = 1; k <= longest && !should_stop(); ++k) {
    auto source = traits.source({lab_.suite(), knowledge_, request_, k});
    if (Status done = explore(*source); !done) return done;
    exhausted_[k] = source_seen_;
  }
  exhausted_[request_.k] = exhausted_[longest];  // there are no longer ones
  return {};
}

Status Search::run_automatic() {
  const std::uint64_t seed = request_.seed;
  auto step = [this](std::unique_ptr<OrderSource> source) {
    return should_stop() ? Status() : explore(*source);
  };
  if (Status done = step(isolation_source(knowledge_)); !done) return done;

  const std::uint64_t many_trials = 1'000'000'000;
  const std::uint64_t n = knowledge_.tests().size();
  if (Status done = step(reversal_source(knowledge_)); !done) return done;
  if (Status done = step(self_source(knowledge_)); !done) return done;
  // Orders of all tests, as many as there are tests, are too much for slow ones. Breaking what is
  // known to flow from one to another runs short orders.
  if (test_cost_ * (n * (n + few_trials(n))) > left()) {
    if (Status done = run_dataflow_if_affordable(); !done) return done;
  }
  if (Status done =
          step(random_source(lab_.suite(), knowledge_, seed, few_trials(n), Shuffling::both));
      !done) {
    return done;
  }
  // Before screen, which costs as much: in a suite too large for both within the budget, a pair
  // side by side shows what tests that clean up would mask.
  if (Status done = step(pairs_source(knowledge_)); !done) return done;
  if (Status done = explore_pairs_if_affordable(); !done) return done;
  if (should_stop() || exhausted_[2] || run_through_ >= 2) return {};
  // Too large for every pair by itself: data flow, rows of pairs, then chance, to the end of the
  // budget.
  if (Status done = run_dataflow_if_affordable(); !done) return done;
  if (Status done = step(screen_source(knowledge_, seed, 3)); !done) return done;
  if (request_.budget.count() == 0) return {};
  return step(random_source(lab_.suite(), knowledge_, seed + 1, many_trials, Shuffling::both));
}

/// Every pair, if that fits into what is left; and every triple if that costs next to nothing.
Status Search::explore_pairs_if_affordable() {
  const std::uint64_t n = knowledge_.tests().size();
  if (should_stop() || n < 2) {
    exhausted_[2] = n < 2;
    return {};
  }
  const std::uint64_t triples = n * (n - 1) * (n - 2);
  const auto all_pairs = cost_of(knowledge_.pairs_left(), 2);
  if (auto limit = limit_of_collection(all_pairs)) {
    collect_alone(&*limit);
    if (!needless_) facts_.search.pruning.reset();  // nobody has asked for it
  }
  // What is not proved to be needless is left out only where there is no time for all pairs.
  const bool affordable_pairs = all_pairs <= left();
  const bool by_flow = needless_ && (needless_->is_sound() || !affordable_pairs);
  if (!by_flow && !affordable_pairs) return {};
  if (by_flow) {
    if (Status done = run_aware(2); !done) return done;
  } else {
    auto source = exhaustive_source(knowledge_, 2);
    if (Status done = explore(*source); !done) return done;
    exhausted_[2] = source_seen_;
  }
  const bool affordable = cost_of(triples, 3) <= left() / 10;
  if (!exhausted_[2] || n < 3 || should_stop() || !(affordable || exhausted_[3])) return {};
  if (needless_ && !needless_->is_sound()) needless_.reset();  // there is time for all of them
  return run_aware(3);
}

}  // namespace gordian
