// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "trace/flow_graph.h"

#include <algorithm>
#include <map>
#include <numeric>
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

std::optional<std::vector<EdgeId>> FlowGraph::way_around(EdgeId id,
                                                         const std::vector<bool>& only) const {
  const auto [from, to] = edge(id);
  ++walk_;
  std::vector<EdgeId> way;
  std::vector<std::pair<Place, std::size_t>> stack = {{from, 0}};  // and the next edge to try
  while (!stack.empty()) {
    auto& [place, next] = stack.back();
    // Writers before the one that is looked for cannot lead to it.
    if (next == out_[place].size() || edge(out_[place][next]).writer < to) {
      stack.pop_back();
      if (!way.empty()) way.pop_back();
      continue;
    }
    const EdgeId step = out_[place][next++];
    const Place writer = edge(step).writer;
    if (step == id || (!only.empty() && !only[step.value()])) continue;
    if (writer == to) {
      way.push_back(step);
      return way;
    }
    if (std::exchange(seen_[writer], walk_) == walk_) continue;
    way.push_back(step);
    stack.emplace_back(writer, 0);
  }
  return std::nullopt;
}

std::vector<Place> FlowGraph::needed_by(Place place, std::optional<EdgeId> leave_out) const {
  ++walk_;
  seen_[place] = walk_;
  std::vector<Place> needed = {place};
  for (std::size_t i = 0; i < needed.size(); ++i) {
    for (EdgeId step : out_[needed[i]]) {
      const Place writer = edge(step).writer;
      if (step == leave_out || std::exchange(seen_[writer], walk_) == walk_) continue;
      needed.push_back(writer);
    }
  }
  std::sort(needed.begin(), needed.end());
  return needed;
}

std::size_t FlowGraph::components() const {
  std::vector<Place> parent(places());
  std::iota(parent.begin(), parent.end(), 0);
  auto root = [&parent](Place place) {
    while (parent[place] != place) place = parent[place] = parent[parent[place]];
    return place;
  };
  std::vector<bool> touched(places());
  std::size_t joined = 0;
  for (std::uint32_t i = 0; i < edges_.size(); ++i) {
    if (!present_[i]) continue;
    touched[edges_[i].reader] = touched[edges_[i].writer] = true;
    const Place a = root(edges_[i].reader), b = root(edges_[i].writer);
    joined += a != b;
    parent[a] = b;
  }
  return static_cast<std::size_t>(std::count(touched.begin(), touched.end(), true)) - joined;
}

Inverted invert(const FlowGraph& graph, EdgeId id) {
  const auto [reader, writer] = graph.edge(id);
  std::vector<Place> for_reader = graph.needed_by(reader, id);  // it is the last of them
  std::vector<Place> for_writer = graph.needed_by(writer);
  for_writer.pop_back();  // itself
  for_reader.pop_back();
  Inverted result;
  std::set_union(for_reader.begin(), for_reader.end(), for_writer.begin(), for_writer.end(),
                 std::back_inserter(result.with_writer));
  const bool more = result.with_writer.size() > for_reader.size();
  result.with_writer.push_back(reader);
  result.with_writer.push_back(writer);
  if (more) {
    for_reader.push_back(reader);
    result.bare = std::move(for_reader);
  }
  return result;
}

}  // namespace gordian
