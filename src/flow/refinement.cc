// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "flow/refinement.h"

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace gordian {

Refinement::Refinement(FlowGraph graph)
    : graph_(std::move(graph)),
      reach_(graph_),
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

bool Refinement::has_way_that_stays(EdgeId edge) const {
  const auto [reader, writer] = graph_.edge(edge);
  for (EdgeId step : graph_.edges_of(reader)) {
    const Place first = graph_.edge(step).writer;
    if (first < writer) break;  // these cannot lead to it
    if (step != edge && stays_[step.value()] && reach_.leads_for_good(first, writer)) return true;
  }
  return false;
}

/// The first edge, of those that may go, of a way from the reader to the writer that does not use
/// `edge`: with that turned around, a cycle. REQUIRES: there is no such way that stays.
std::optional<EdgeId> Refinement::way_around(EdgeId edge) const {
  const auto [reader, writer] = graph_.edge(edge);
  for (Place place = reader;;) {
    const auto& steps = graph_.edges_of(place);
    const auto step = std::find_if(steps.begin(), steps.end(), [&](EdgeId id) {
      const Place next = graph_.edge(id).writer;
      return id != edge && next >= writer && reach_.leads(next, writer);
    });
    if (step == steps.end()) return std::nullopt;
    if (!stays_[step->value()]) return *step;
    place = graph_.edge(*step).writer;
    GORDIAN_CHECK(place != writer);
  }
}

/// The first of its edges that can be broken alone. Those before it are put aside.
std::optional<EdgeId> Refinement::next_of(Place reader) {
  reach_.refresh(graph_, stays_, reader);
  while (!open_[reader].empty()) {
    const EdgeId id = open_[reader].begin()->second;
    open_[reader].erase(open_[reader].begin());
    if (has_way_that_stays(id)) {
      demanded_[id.value()] = true;
      decide(id, FlowVerdict::untestable);
      continue;
    }
    const auto may_go = way_around(id);
    if (!may_go) return id;
    waiting_[*may_go].push_back(id);
  }
  return std::nullopt;
}

/// REQUIRES: there is no way around the edge.
Refinement::Experiment Refinement::invert(EdgeId edge) const {
  const auto [reader, writer] = graph_.edge(edge);
  Experiment experiment{edge, reach_.needed_by(graph_, reader, edge), {}, false, 0};
  experiment.for_both = experiment.for_reader;
  unite(experiment.for_both, reach_.needed_by(graph_, writer));
  const std::size_t alone = count(experiment.for_reader), both = count(experiment.for_both);
  experiment.bare = both > alone;
  experiment.tests = both + 2 + (experiment.bare ? alone + 1 : 0);
  return experiment;
}

Inverted Refinement::orders_of(const Experiment& experiment) const {
  const auto [reader, writer] = graph_.edge(experiment.edge);
  Inverted orders;
  orders.with_writer = reach_.places(experiment.for_both, reader);
  orders.with_writer.push_back(reader);
  orders.with_writer.push_back(writer);
  if (!experiment.bare) return orders;
  orders.bare = reach_.places(experiment.for_reader, reader);
  orders.bare->push_back(reader);
  return orders;
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
    found.push_back(invert(*edge));
    tests += found.back().tests;
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
  reach_.touch(graph_.edge(edge).reader);
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
