// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The graph of data dependences of one reference order. Vertices are positions in that order, an
// edge leads from a reader back to a writer, so there is no cycle. Pure. A question costs what it
// has to visit: nothing grows with the size of the whole graph.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/strong_id.h"
#include "suite/data_flow.h"

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

  /// A way from the reader of an edge to its writer that does not use it: with the edge turned
  /// around, a cycle. Only over edges for which `only` holds, if that is not empty.
  std::optional<std::vector<EdgeId>> way_around(EdgeId id,
                                                const std::vector<bool>& only = {}) const;

  /// All that must run before the place, itself included, without `leave_out`; ascending.
  std::vector<Place> needed_by(Place place, std::optional<EdgeId> leave_out = std::nullopt) const;

  /// Groups of places that are connected, whatever the direction; places without an edge do not
  /// count.
  std::size_t components() const;

 private:
  std::vector<Edge> edges_;
  std::vector<bool> present_;
  std::vector<std::vector<EdgeId>> out_;
  mutable std::vector<std::uint32_t> seen_;  ///< by place: number of the walk that saw it
  mutable std::uint32_t walk_ = 0;
};

/// The orders that break one dependence and keep all others. `with_writer`: all that reader or
/// writer need, as in the reference order, then the reader, then the writer. `bare`: what the
/// reader needs, and the reader; not set where `with_writer` begins like that. The bare one is
/// there because what only the writer needs may do the writer's work for the reader.
struct Inverted {
  std::optional<std::vector<Place>> bare;
  std::vector<Place> with_writer;
};
/// REQUIRES: there is no way around the edge.
Inverted invert(const FlowGraph& graph, EdgeId edge);

}  // namespace gordian
