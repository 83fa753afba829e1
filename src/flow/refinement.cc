// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "flow/refinement.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "base/check.h"

namespace gordian {

void unite(PlaceSet& set, const PlaceSet& more) {
  if (set.size() < more.size()) set.resize(more.size());
  for (std::size_t i = 0; i < more.size(); ++i) set[i] |= more[i];
}

std::size_t count(const PlaceSet& set) {
  std::size_t places = 0;
  for (std::uint64_t word : set) places += static_cast<std::size_t>(std::popcount(word));
  return places;
}

Reach::Reach(const FlowGraph& graph)
    : groups_(graph.groups()),
      group_(graph.places()),
      number_(graph.places()),
      rows_(graph.places()),
      staying_(graph.places()),
      readers_(graph.places()),
      stale_(graph.places() / 64 + 1) {
  for (std::uint32_t group = 0; group < groups_.size(); ++group) {
    for (std::uint32_t number = 0; number < groups_[group].size(); ++number) {
      const Place place = groups_[group][number];
      group_[place] = group;
      number_[place] = number;
      touch(place);
      for (EdgeId id : graph.edges_of(place)) readers_[graph.edge(id).writer].push_back(place);
    }
  }
}

void Reach::add(PlaceSet& set, std::uint32_t number) {
  if (set.size() <= number / 64) set.resize(number / 64 + 1);
  set[number / 64] |= std::uint64_t{1} << (number % 64);
}

void Reach::touch(Place reader) {
  stale_[reader / 64] |= std::uint64_t{1} << (reader % 64);
  first_stale_ = std::min(first_stale_, reader);
}

bool Reach::leads_for_good(Place from, Place to) const {
  return from == to || has(staying_[from], number_[to]);
}

PlaceSet Reach::needed_by(const FlowGraph& graph, Place place,
                          std::optional<EdgeId> leave_out) const {
  PlaceSet needed;
  for (EdgeId id : graph.edges_of(place)) {
    if (id != leave_out) unite(needed, rows_[graph.edge(id).writer]);
  }
  return needed;
}

/// Whether it is another set now.
bool Reach::renew(const FlowGraph& graph, const std::vector<bool>& stays, Place place) {
  PlaceSet row = needed_by(graph, place), staying;
  add(row, number_[place]);
  for (EdgeId id : graph.edges_of(place)) {
    if (!stays[id.value()]) continue;
    const Place writer = graph.edge(id).writer;
    unite(staying, staying_[writer]);
    add(staying, number_[writer]);
  }
  const bool other = row != rows_[place] || staying != staying_[place];
  rows_[place] = std::move(row);
  staying_[place] = std::move(staying);
  return other;
}

/// Readers stand behind their writers: one way through them is enough.
void Reach::refresh(const FlowGraph& graph, const std::vector<bool>& stays, Place last) {
  if (first_stale_ > last) return;
  for (std::size_t word = first_stale_ / 64; word <= last / 64; ++word) {
    while (stale_[word] != 0) {
      const auto bit = static_cast<std::uint32_t>(std::countr_zero(stale_[word]));
      const auto place = static_cast<Place>(word * 64 + bit);
      if (place > last) break;
      stale_[word] &= stale_[word] - 1;
      if (!renew(graph, stays, place)) continue;
      for (Place reader : readers_[place]) touch(reader);
    }
  }
  first_stale_ = last + 1;
}

std::vector<Place> Reach::places(const PlaceSet& set, Place member) const {
  const std::vector<Place>& group = groups_[group_[member]];
  std::vector<Place> found;
  found.reserve(count(set) + 2);  // whoever asks adds reader and writer
  for (std::size_t word = 0; word < set.size(); ++word) {
    for (std::uint64_t bits = set[word]; bits != 0; bits &= bits - 1) {
      found.push_back(group[word * 64 + static_cast<std::size_t>(std::countr_zero(bits))]);
    }
  }
  return found;
}

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
