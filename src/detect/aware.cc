// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Collecting what tests read and write, and the algorithm that leaves out what is needless because
// of it (flow/needless.h says why it is).
#include <algorithm>
#include <utility>

#include "detect/search.h"

namespace gordian {

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
