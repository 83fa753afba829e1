// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "flow/flow_graph.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "base/check.h"

namespace gordian {

FlowGraph::FlowGraph(std::size_t places, std::vector<Edge> edges)
    : edges_(std::move(edges)), present_(edges_.size(), true), out_(places), seen_(places) {
  for (std::uint32_t i = 0; i < edges_.size(); ++i) {
    GORDIAN_CHECK(edges_[i].writer < edges_[i].reader && edges_[i].reader < places);
    out_[edges_[i].reader].push_back(EdgeId(i));
  }
  for (auto& own : out_) {
    std::sort(own.begin(), own.end(),
              [this](EdgeId a, EdgeId b) { return edge(a).writer > edge(b).writer; });
  }
}

FlowGraph FlowGraph::of(const DataFlow& flow) {
  std::map<TestId, Place> place;
  for (TestId test : flow.order) place.emplace(test, static_cast<Place>(place.size()));
  std::vector<Edge> edges;
  for (const DataDependence& dependence : flow.dependences) {
    edges.push_back({place.at(dependence.reader), place.at(dependence.writer)});
  }
  return FlowGraph(flow.order.size(), std::move(edges));
}

void FlowGraph::remove(EdgeId id) {
  present_[id.value()] = false;
  std::erase(out_[edge(id).reader], id);
}

std::vector<Place> FlowGraph::needed_by(Place place) const {
  ++walk_;
  seen_[place] = walk_;
  std::vector<Place> needed = {place};
  for (std::size_t i = 0; i < needed.size(); ++i) {
    for (EdgeId step : out_[needed[i]]) {
      const Place writer = edge(step).writer;
      if (std::exchange(seen_[writer], walk_) == walk_) continue;
      needed.push_back(writer);
    }
  }
  std::sort(needed.begin(), needed.end());
  return needed;
}

std::vector<std::vector<Place>> FlowGraph::groups() const {
  std::vector<Place> parent(places());
  std::iota(parent.begin(), parent.end(), 0);
  auto root = [&parent](Place place) {
    while (parent[place] != place) place = parent[place] = parent[parent[place]];
    return place;
  };
  std::vector<bool> touched(places());
  for (std::uint32_t i = 0; i < edges_.size(); ++i) {
    if (!present_[i]) continue;
    touched[edges_[i].reader] = touched[edges_[i].writer] = true;
    parent[root(edges_[i].reader)] = root(edges_[i].writer);
  }
  std::vector<std::vector<Place>> found;
  std::map<Place, std::size_t> group_of;  // by root
  for (Place place = 0; place < places(); ++place) {
    if (!touched[place]) continue;
    const std::size_t group = group_of.try_emplace(root(place), found.size()).first->second;
    if (group == found.size()) found.emplace_back();
    found[group].push_back(place);
  }
  return found;
}

std::vector<OtherWriter> other_writers(const DataFlow& flow, std::size_t near) {
  std::map<StateId, std::vector<Place>> writers;  // ascending
  std::map<TestId, Place> places;
  for (Place place = 0; place < flow.tests.size(); ++place) {
    places.emplace(flow.tests[place].test, place);
    for (StateId state : flow.tests[place].writes) writers[state].push_back(place);
  }
  std::set<OtherWriter> pairs;
  for (Place reader = 0; reader < flow.tests.size(); ++reader) {
    for (StateId state : flow.tests[reader].reads) {
      const std::vector<Place>& all = writers[state];
      const auto behind = std::upper_bound(all.begin(), all.end(), reader);
      const auto own = std::lower_bound(all.begin(), all.end(), reader);
      const auto left = static_cast<std::size_t>(all.end() - behind);
      for (std::size_t i = 0; i < std::min(near, left); ++i) pairs.insert({reader, behind[i]});
      const auto before = static_cast<std::size_t>(own - all.begin());
      for (std::size_t i = 1; i < before && i <= near; ++i) {
        pairs.insert({reader, all[before - 1 - i]});
      }
    }
  }
  for (const DataDependence& known : flow.dependences) {
    pairs.erase({places.at(known.reader), places.at(known.writer)});
  }
  return {pairs.begin(), pairs.end()};
}

std::vector<Place> order_of(const FlowGraph& graph, const OtherWriter& pair) {
  const std::vector<Place> for_reader = graph.needed_by(pair.reader);
  const std::vector<Place> for_writer = graph.needed_by(pair.writer);
  std::vector<Place> order;
  std::set_union(for_reader.begin(), for_reader.end(), for_writer.begin(), for_writer.end(),
                 std::back_inserter(order));
  std::erase_if(order, [&](Place place) { return place == pair.reader || place == pair.writer; });
  order.push_back(pair.writer);
  order.push_back(pair.reader);
  return order;
}

}  // namespace gordian
