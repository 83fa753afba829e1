// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What every place of a FlowGraph leads to, as sets that follow the graph as it loses edges. Pure.
//
// A set is a row of bits, one for each place of the group that hangs together, and no group knows
// of the others. The set of a place is the union of those of its writers: to find out whether
// there is a way, to say what an order holds, and to catch up with an edge that is gone costs a
// word for each 64 places, and not a walk through the graph. Sets are brought up to date in
// ascending order, and only those whose writers' have changed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "flow/flow_graph.h"

namespace gordian {

/// Some places of one group; bit i is its i-th place. Words at the end may be missing: they are 0.
using PlaceSet = std::vector<std::uint64_t>;

/// Adds `more` to `set`.
void unite(PlaceSet& set, const PlaceSet& more);
std::size_t count(const PlaceSet& set);

class Reach {
 public:
  explicit Reach(const FlowGraph& graph);

  /// Edges of this reader have gone, or have come to stay.
  void touch(Place reader);
  /// Brings the places up to `last` up to date. `stays`: edges that will not go any more.
  void refresh(const FlowGraph& graph, const std::vector<bool>& stays, Place last);

  // REQUIRES, of all of these: the places are up to date, and of one group.

  /// There is a way, or they are the same.
  bool leads(Place from, Place to) const { return has(rows_[from], number_[to]); }
  /// There is one of edges that stay.
  bool leads_for_good(Place from, Place to) const;
  /// All that must run before the place, without itself, if `leave_out` did not count.
  PlaceSet needed_by(const FlowGraph& graph, Place place,
                     std::optional<EdgeId> leave_out = std::nullopt) const;

  /// Ascending. `member`: any place of the group.
  std::vector<Place> places(const PlaceSet& set, Place member) const;

 private:
  static bool has(const PlaceSet& set, std::uint32_t number) {
    const std::size_t word = number / 64;
    return word < set.size() && ((set[word] >> (number % 64)) & 1) != 0;
  }
  static void add(PlaceSet& set, std::uint32_t number);
  bool renew(const FlowGraph& graph, const std::vector<bool>& stays, Place place);

  std::vector<std::vector<Place>> groups_;
  std::vector<std::uint32_t> group_, number_;  ///< by place; the number within its group
  std::vector<PlaceSet> rows_;                 ///< by place, itself included
  std::vector<PlaceSet> staying_;              ///< the same over edges that stay; empty: itself
  std::vector<std::vector<Place>> readers_;    ///< by writer
  std::vector<std::uint64_t> stale_;           ///< a bit for each place of the graph
  Place first_stale_ = 0;                      ///< none before it
};

}  // namespace gordian
