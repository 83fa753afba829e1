// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "flow/flow_builder.h"

#include <algorithm>
#include <iterator>
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

}  // namespace gordian
