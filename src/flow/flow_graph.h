// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The graph of data dependences of one reference order. Vertices are positions in that order, an
// edge leads from a reader back to a writer, so there is no cycle. Pure. A question costs what it
// has to visit: nothing grows with the size of the whole graph.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/strong_id.h"
#include "model/data_flow.h"

namespace gordian {

/// Index of a data dependence.
using EdgeId = StrongId<struct EdgeIdTag, std::uint32_t>;
using Place = std::uint32_t;  ///< in the reference order

class FlowGraph {
 public:
  struct Edge {
    Place reader, writer;
  };

  /// REQUIRES: each writer stands before its reader, and no two edges are the same.
  FlowGraph(std::size_t places, std::vector<Edge> edges);
  /// Edge i is dependence i. REQUIRES: the flow is one of an order in which no test stands twice.
  static FlowGraph of(const DataFlow& flow);

  std::size_t places() const { return out_.size(); }
  std::size_t size() const { return edges_.size(); }
  const Edge& edge(EdgeId id) const { return edges_[id.value()]; }
  bool has(EdgeId id) const { return present_[id.value()]; }
  /// The reader need not run behind the writer any longer.
  void remove(EdgeId id);
  /// Edges that leave `reader`, the latest writer first.
  const std::vector<EdgeId>& edges_of(Place reader) const { return out_[reader]; }

  /// All that must run before the place, itself included; ascending.
  std::vector<Place> needed_by(Place place) const;

  /// Groups of places that are connected, whatever the direction, each ascending; places without
  /// an edge are in none.
  std::vector<std::vector<Place>> groups() const;

 private:
  std::vector<Edge> edges_;
  std::vector<bool> present_;
  std::vector<std::vector<EdgeId>> out_;
  mutable std::vector<std::uint32_t> seen_;  ///< by place: number of the walk that saw it
  mutable std::uint32_t walk_ = 0;
};

/// What a test could read, and does not in the reference order: values of states that it reads,
/// left by tests that stand behind it, or before the one that wrote last. Breaking dependences
/// shows nothing of these, as when a cleaner stands between a polluter and its victim. Pure.
struct OtherWriter {
  Place reader, writer;
  auto operator<=>(const OtherWriter&) const = default;
};

/// By reader. Where variables are not known by type, many of them are one state: hence not only the
/// next few. For each state that it reads, of the tests that leave it changed, the `near` nearest
/// behind the reader and before the one that it reads from; each pair once, and none that is a
/// dependence of `flow`. REQUIRES: the flow is one of an order in which no test stands twice.
std::vector<OtherWriter> other_writers(const DataFlow& flow, std::size_t near = 16);

/// All that reader or writer need, as in the reference order, then the writer, then the reader.
std::vector<Place> order_of(const FlowGraph& graph, const OtherWriter& pair);

}  // namespace gordian
