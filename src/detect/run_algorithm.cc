// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// How a search goes through its algorithm. `auto`: cheap and telling first, then systematic.
// `aware`: what tests read and write is collected, and what is needless because of it is left out
// (flow/needless.h says why it is).
#include <algorithm>
#include <charconv>

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
  for (const AutomaticStep& step : automatic_steps()) {
    if (step.when == AutomaticStep::When::to_the_end && request_.budget.count() == 0) continue;
    if (step.when == AutomaticStep::When::for_slow_tests) {
      const std::uint64_t n = knowledge_.tests().size();
      if (test_cost_ * (n * (n + few_trials(n))) <= left()) continue;
    }
    Status done;
    switch (traits_of(step.algorithm).course) {
      case Course::by_length:
        done = explore_pairs_if_affordable();
        if (should_stop() || exhausted_[2] || run_through_ >= 2) return done;
        break;
      case Course::dataflow:
        done = run_dataflow_if_affordable();
        break;
      default:
        if (should_stop()) continue;
        done = explore(*source_of(step, {lab_.suite(), knowledge_, request_}));
    }
    if (!done) return done;
  }
  return {};
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

/// To start the program once more and read its debug information.
static constexpr auto kOpening = std::chrono::milliseconds(250);

Result<std::unique_ptr<FlowCollector>> Search::open_flow_collector(CollectionLimit* limit) {
  if (!request_.collector) return target_error("nobody collects what tests read and write");
  auto collector = request_.collector();
  if (!collector) return collector;
  (*collector)->should_stop = [this, limit] {
    return should_stop() || (limit != nullptr && limit->is_exceeded());
  };
  (*collector)->progress = [this, limit](const CollectProgress& progress) {
    if (limit != nullptr) limit->note(progress);
    progress_.phase_done = progress.done;
    progress_.phase_total = progress.total;
    progress_.doing = progress.doing;
    beat();
  };
  progress_.algorithm = to_string(PhaseKind::collection);
  return collector;
}

/// A test that declares others never runs without them in a search: what it does then is not what
/// was seen of it alone.
static void distrust_declaring(DataFlow& flow, const Declared& declared) {
  if (!declared.any()) return;
  for (TestFlow& test : flow.tests) {
    if (!test.unsure.empty() || declared.needed_by(test.test).empty()) continue;
    test.unsure = "it runs behind tests that it declares";
  }
}

/// Without a collection nothing is needless, and the search is as it would be without this.
void Search::collect_alone(CollectionLimit* limit) {
  if (facts_.search.pruning) return;  // once
  PruningFacts& pruning = facts_.search.pruning.emplace();
  pruning.source = request_.flow_source;
  auto collector = open_flow_collector(limit);
  auto flow =
      collector ? (*collector)->alone(knowledge_.tests()) : Result<DataFlow>(collector.error());
  progress_.doing.clear();
  if (!flow) {
    pruning.no_reason = flow.error().message;
    return;
  }
  distrust_declaring(*flow, lab_.declared());
  needless_.emplace(*flow, lab_.suite().size());
  pruning.sound = needless_->is_sound();
  pruning.source = flow->source;
  pruning.misses = flow->misses;
  pruning.passes = flow->passes;
  pruning.seconds = flow->seconds;
}

/// Half of what it could save, and half of the time there is, at most: the relation may turn out to
/// save nothing. Each test runs twice, at least.
std::optional<CollectionLimit> Search::limit_of_collection(std::chrono::nanoseconds pairs) const {
  if (!request_.collector || facts_.search.pruning) return std::nullopt;
  const auto allowed = std::min(pairs, left()) / 2;
  const auto least = kOpening + cost_of(2 * knowledge_.tests().size(), 1);
  if (least > allowed) return std::nullopt;
  return CollectionLimit(allowed);
}

Status Search::run_aware(int k) {
  auto source = aware_source(knowledge_, k, needless_ ? &*needless_ : nullptr);
  Status done = explore(*source);
  if (needless_) {
    facts_.search.pruning->needless += source->needless();
    facts_.search.pruning->needed += progress_.phase_done;
  }
  if (!needless_ || needless_->is_sound()) exhausted_[k] = source_seen_;
  return done;
}

}  // namespace gordian
