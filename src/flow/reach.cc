// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "flow/reach.h"

#include <algorithm>
#include <bit>
#include <utility>

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

}  // namespace gordian
