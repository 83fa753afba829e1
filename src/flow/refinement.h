// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Which data dependences are manifest: the bookkeeping of one refinement, without any run. Pure.
//
// One dependence at a time is broken, all others are kept: those that are manifest, and those not
// tested yet. What turns out not to be manifest is removed and binds no later order. Sources first:
// of each reader the dependence on its latest writer comes first. A dependence that another way
// around it also demands cannot be broken alone; it waits until an edge of that way is removed, and
// is untestable once a whole way is there to stay.
//
// An order that breaks a dependence of a reader holds nothing that stands behind that reader in the
// reference order. So what is found out about later readers changes none of the orders of earlier
// ones: a step takes one dependence of every reader, and its orders may be run at the same time,
// with the same verdicts as one after another.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "flow/flow_graph.h"
#include "model/data_flow.h"

namespace gordian {

// What every place of a FlowGraph leads to, as sets that follow the graph as it loses edges. Pure.
//
// A set is a row of bits, one for each place of the group that hangs together, and no group knows
// of the others. The set of a place is the union of those of its writers: to find out whether
// there is a way, to say what an order holds, and to catch up with an edge that is gone costs a
// word for each 64 places, and not a walk through the graph. Sets are brought up to date in
// ascending order, and only those whose writers' have changed.

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

/// The orders that break one dependence and keep all others. `with_writer`: all that reader or
/// writer need, as in the reference order, then the reader, then the writer. `bare`: what the
/// reader needs, and the reader; not set where `with_writer` begins like that. The bare one is
/// there because what only the writer needs may do the writer's work for the reader.
struct Inverted {
  std::optional<std::vector<Place>> bare;
  std::vector<Place> with_writer;
};

class Refinement {
 public:
  explicit Refinement(FlowGraph graph);

  /// Its orders are long where the suite hangs together, so they are written down when they are
  /// run: orders_of().
  struct Experiment {
    EdgeId edge;
    PlaceSet for_reader, for_both;  ///< without reader and writer
    bool bare = false;              ///< one order without the writer, too
    std::size_t tests = 0;          ///< of its orders together
  };
  /// What can be tested now, latest readers first, at most one for each reader; stops behind the
  /// one with which there are `most` tests in all, and goes on from there with the next call. Empty
  /// once all was decided. REQUIRES: every experiment of the last call was decided.
  std::vector<Experiment> next(std::size_t most = SIZE_MAX);

  Inverted orders_of(const Experiment& experiment) const;

  /// REQUIRES: not FlowVerdict::untested.
  void decide(EdgeId edge, FlowVerdict verdict);

  FlowVerdict verdict(EdgeId edge) const { return verdicts_[edge.value()]; }
  /// Untestable because of a way around it that stays; else it was decided so.
  bool is_demanded_otherwise(EdgeId edge) const { return demanded_[edge.value()]; }
  const FlowGraph& graph() const { return graph_; }

 private:
  std::optional<EdgeId> next_of(Place reader);
  std::optional<EdgeId> way_around(EdgeId edge) const;
  bool has_way_that_stays(EdgeId edge) const;
  Experiment invert(EdgeId edge) const;
  void take_up_again(EdgeId decided);

  FlowGraph graph_;
  Reach reach_;
  std::vector<FlowVerdict> verdicts_;
  std::vector<bool> stays_;     ///< manifest or untestable
  std::vector<bool> demanded_;  ///< see is_demanded_otherwise()
  /// By reader, the latest writer first; without those that wait.
  std::vector<std::set<std::pair<Place, EdgeId>, std::greater<>>> open_;
  std::map<EdgeId, std::vector<EdgeId>> waiting_;  ///< by an edge of a way around them
  std::set<Place, std::greater<>> now_, later_;    ///< readers with open edges: this step, the next
};

}  // namespace gordian
