// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "flow/flow_builder.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

namespace gordian {

FlowBuilder::FlowBuilder(FlowSource source, bool alone) {
  flow_.source = source;
  flow_.alone = alone;
}

void FlowBuilder::begin(TestId test) {
  finish_test();
  flow_.order.push_back(test);
  flow_.tests.push_back({test, {}, {}, {}});
}

StateId FlowBuilder::state(SharedState description) {
  auto id = StateId(static_cast<std::uint32_t>(flow_.states.size()));
  auto [known, fresh] = ids_.try_emplace(description.key, id);
  if (fresh) flow_.states.push_back(std::move(description));
  return known->second;
}

void FlowBuilder::read(StateId state, std::optional<Site> site) {
  reads_.try_emplace(state, std::move(site));
}

void FlowBuilder::read_from(StateId state, std::optional<std::size_t> writer,
                            std::optional<Site> write, std::optional<Site> read) {
  if (reads_.try_emplace(state, read).second) of_known_origin_.insert(state);
  if (writer) {
    reads_from_.try_emplace({*writer, state}, Sites{std::move(write), std::move(read)});
  }
}

/// The last site is the one that left the state as it is.
void FlowBuilder::wrote(StateId state, std::optional<Site> site) {
  writes_.insert_or_assign(state, std::move(site));
}

void FlowBuilder::unsure(std::string why) {
  std::string& reason = flow_.tests.back().unsure;
  if (reason.empty()) reason = std::move(why);
}

void FlowBuilder::misses(std::string what) {
  auto& all = flow_.misses;
  if (std::find(all.begin(), all.end(), what) == all.end()) all.push_back(std::move(what));
}

std::vector<DataDependence> FlowBuilder::dependences_of_last() const {
  std::map<std::size_t, DataDependence> by_writer;  // by its position
  for (const auto& [from, sites] : reads_from_) {
    DataDependence fresh{
        flow_.order.back(), flow_.order[from.first], {}, sites.first, sites.second};
    auto& states = by_writer.try_emplace(from.first, std::move(fresh)).first->second.states;
    states.push_back(from.second);
  }
  for (const auto& [state, site] : reads_) {
    if (of_known_origin_.contains(state)) continue;
    auto write = last_write_.find(state);
    if (write == last_write_.end()) continue;
    const auto& [position, write_site] = write->second;
    DataDependence fresh{flow_.order.back(), flow_.order[position], {}, write_site, site};
    by_writer.try_emplace(position, std::move(fresh)).first->second.states.push_back(state);
  }
  std::vector<DataDependence> found;
  for (auto& [position, dependence] : by_writer) found.push_back(std::move(dependence));
  return found;
}

void FlowBuilder::finish_test() {
  if (flow_.tests.empty()) return;
  TestFlow& test = flow_.tests.back();
  if (!flow_.alone) {
    auto found = dependences_of_last();
    std::move(found.begin(), found.end(), std::back_inserter(flow_.dependences));
  }
  for (const auto& [state, site] : reads_) test.reads.push_back(state);
  for (auto& [state, site] : writes_) {
    test.writes.push_back(state);
    last_write_.insert_or_assign(state, std::pair(flow_.tests.size() - 1, std::move(site)));
  }
  reads_.clear();
  reads_from_.clear();
  of_known_origin_.clear();
  writes_.clear();
}

DataFlow FlowBuilder::take() {
  finish_test();
  return std::move(flow_);
}

DataFlow FlowBuilder::take(std::uint64_t passes, std::chrono::steady_clock::time_point began) {
  DataFlow flow = take();
  flow.passes = passes;
  flow.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  return flow;
}

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
