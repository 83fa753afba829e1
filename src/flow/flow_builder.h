// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Puts accesses together to a DataFlow. Pure. Tests are told of in the order in which they ran, and
// the accesses of one test in any order, but its reads of what it writes itself before it reads
// are not told at all.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "model/data_flow.h"

namespace gordian {

class FlowBuilder {
 public:
  /// `alone`: see DataFlow.
  FlowBuilder(FlowSource source, bool alone);

  /// The next test; what follows is about it.
  void begin(TestId test);
  /// One state for each key; the first description stays.
  StateId state(SharedState description);
  void read(StateId state, std::optional<Site> site = std::nullopt);
  void wrote(StateId state, std::optional<Site> site = std::nullopt);
  /// A read of what the test at the position `writer` has written last, nobody else since; nullopt:
  /// nobody since the start. Known from the access itself: other writes to a state of this name do
  /// not count.
  void read_from(StateId state, std::optional<std::size_t> writer,
                 std::optional<Site> write = std::nullopt, std::optional<Site> read = std::nullopt);
  /// More may have happened than is told.
  void unsure(std::string why);
  void misses(std::string what);

  DataFlow take();
  /// `passes`: see DataFlow. `began`: when the first of them did.
  DataFlow take(std::uint64_t passes, std::chrono::steady_clock::time_point began);

 private:
  void finish_test();
  std::vector<DataDependence> dependences_of_last() const;

  DataFlow flow_;
  std::map<StateKey, StateId> ids_;
  std::map<StateId, std::optional<Site>> reads_, writes_;  ///< of the test at hand
  using Sites = std::pair<std::optional<Site>, std::optional<Site>>;
  std::map<std::pair<std::size_t, StateId>, Sites> reads_from_;  ///< by writer: its site, and ours
  std::set<StateId> of_known_origin_;                            ///< read_from(), not read()
  /// Position of the writer, and where it wrote.
  std::map<StateId, std::pair<std::size_t, std::optional<Site>>> last_write_;
};

/// One data flow out of two that were collected over the same tests, each for another kind of
/// state. Sites stay those of `flow` where both know a dependence. REQUIRES: the same order, and
/// alone or not alone both; no state is in both.
void merge_into(DataFlow& flow, const DataFlow& other);

}  // namespace gordian
