// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "flow/merge_flows.h"

#include <algorithm>
#include <map>
#include <utility>

namespace gordian {
namespace {

/// Numbers of the other flow's states become numbers behind ours: lists stay in ascending order.
void append(std::vector<StateId>& to, const std::vector<StateId>& from, std::size_t shift) {
  for (StateId id : from) to.emplace_back(id.value() + static_cast<std::uint32_t>(shift));
}

using Places = std::map<TestId, std::size_t>;

Places places_of(const Order& order) {
  Places places;
  for (std::size_t i = 0; i < order.size(); ++i) places.try_emplace(order[i], i);
  return places;
}

void add_dependence(std::vector<DataDependence>& to, const DataDependence& other,
                    std::size_t shift) {
  auto known = std::find_if(to.begin(), to.end(), [&](const DataDependence& ours) {
    return ours.reader == other.reader && ours.writer == other.writer;
  });
  if (known == to.end()) {
    to.push_back({other.reader, other.writer, {}, other.write, other.read});
    known = to.end() - 1;
  }
  append(known->states, other.states, shift);
}

void merge_dependences(DataFlow& flow, const DataFlow& other, std::size_t shift) {
  const Places places = places_of(flow.order);
  std::map<TestId, std::vector<DataDependence>> by_reader;
  for (DataDependence& ours : flow.dependences) by_reader[ours.reader].push_back(std::move(ours));
  for (const DataDependence& theirs : other.dependences) {
    add_dependence(by_reader[theirs.reader], theirs, shift);
  }
  flow.dependences.clear();
  for (auto& [reader, list] : by_reader) {
    std::move(list.begin(), list.end(), std::back_inserter(flow.dependences));
  }
  std::stable_sort(flow.dependences.begin(), flow.dependences.end(),
                   [&](const DataDependence& a, const DataDependence& b) {
                     return std::pair(places.at(a.reader), places.at(a.writer)) <
                            std::pair(places.at(b.reader), places.at(b.writer));
                   });
}

}  // namespace

void merge_into(DataFlow& flow, const DataFlow& other) {
  const std::size_t shift = flow.states.size();
  flow.states.insert(flow.states.end(), other.states.begin(), other.states.end());
  for (std::size_t i = 0; i < flow.tests.size(); ++i) {
    TestFlow& ours = flow.tests[i];
    append(ours.reads, other.tests[i].reads, shift);
    append(ours.writes, other.tests[i].writes, shift);
    if (ours.unsure.empty()) ours.unsure = other.tests[i].unsure;
  }
  merge_dependences(flow, other, shift);
  flow.misses.insert(flow.misses.end(), other.misses.begin(), other.misses.end());
  flow.passes += other.passes;
  flow.seconds += other.seconds;
}

}  // namespace gordian
