// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "trace/refinement.h"

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace gordian {

Refinement::Refinement(FlowGraph graph)
    : graph_(std::move(graph)),
      verdicts_(graph_.size(), FlowVerdict::untested),
      stays_(graph_.size()),
      demanded_(graph_.size()),
      open_(graph_.places()) {
  for (std::uint32_t i = 0; i < graph_.size(); ++i) {
    const auto& [reader, writer] = graph_.edge(EdgeId(i));
    open_[reader].emplace(writer, EdgeId(i));
    later_.insert(reader);
  }
}

/// The first of its edges that can be broken alone. Those before it are put aside.
std::optional<EdgeId> Refinement::next_of(Place reader) {
  while (!open_[reader].empty()) {
    const EdgeId id = open_[reader].begin()->second;
    open_[reader].erase(open_[reader].begin());
    if (graph_.way_around(id, stays_)) {
      demanded_[id.value()] = true;
      decide(id, FlowVerdict::untestable);
      continue;
    }
    auto way = graph_.way_around(id);
    if (!way) return id;
    auto may_go = std::find_if(way->begin(), way->end(),
                               [this](EdgeId step) { return !stays_[step.value()]; });
    GORDIAN_CHECK(may_go != way->end());
    waiting_[*may_go].push_back(id);
  }
  return std::nullopt;
}

std::vector<Refinement::Experiment> Refinement::next(std::size_t most) {
  std::vector<Experiment> found;
  std::size_t tests = 0;
  while (tests < most) {
    if (now_.empty()) {
      if (!found.empty() || later_.empty()) break;
      std::swap(now_, later_);
    }
    const Place reader = *now_.begin();
    now_.erase(now_.begin());
    auto edge = next_of(reader);
    if (!edge) continue;
    found.push_back({*edge, invert(graph_, *edge)});
    const Inverted& orders = found.back().orders;
    tests += orders.with_writer.size() + (orders.bare ? orders.bare->size() : 0);
  }
  return found;
}

void Refinement::decide(EdgeId edge, FlowVerdict verdict) {
  GORDIAN_CHECK(verdict != FlowVerdict::untested);
  verdicts_[edge.value()] = verdict;
  if (verdict == FlowVerdict::not_manifest) {
    graph_.remove(edge);
  } else {
    stays_[edge.value()] = true;
  }
  if (!open_[graph_.edge(edge).reader].empty()) later_.insert(graph_.edge(edge).reader);
  take_up_again(edge);
}

void Refinement::take_up_again(EdgeId decided) {
  auto waiting = waiting_.find(decided);
  if (waiting == waiting_.end()) return;
  for (EdgeId id : waiting->second) {
    const auto& [reader, writer] = graph_.edge(id);
    open_[reader].emplace(writer, id);
    later_.insert(reader);
  }
  waiting_.erase(waiting);
}

}  // namespace gordian
