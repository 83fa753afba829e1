// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What is kept of data flow from one command to the next: collections, and how far a refinement of
// their data dependences has come.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/data_flow.h"
#include "runtime/powers.h"
#include "store/flow_store.h"

namespace gordian {

using OpenCollector = std::function<Result<std::unique_ptr<FlowCollector>>()>;

/// What is being collected, and where it is kept.
struct FlowMemory {
  FlowStore* store = nullptr;  ///< null: nowhere
  Target target;
  SearchedBuild build;
  Suite suite;
  FlowSource source = FlowSource::watch;
  bool again = false;  ///< collect, whatever is stored
  /// What is collected, for the next command; else one asks for the cost: what is stored is free.
  bool keep = true;

  FlowKey key(const Order& order, bool alone) const { return {target, source, alone, order}; }
};

/// Looks into the database first, and keeps there what it had to collect: the next command finds
/// it, as long as it is the same build. `open` is called only when there is something to collect.
/// Trouble with the database is no reason not to collect.
std::unique_ptr<FlowCollector> remembering_collector(FlowMemory memory, OpenCollector open);

/// The last flow of the default order of these tests, with what is known of it.
Result<std::optional<StoredFlow>> remembered(const FlowMemory& memory, const Order& order);

/// For the next command: what was found out about a flow that was collected through such a
/// collector.
Status remember(const FlowMemory& memory, const FlowFacts& facts);

/// How far a refinement of data dependences has come, as one line for the journal. Kept are the
/// dependences that are not manifest: those are the many. Manifest ones are broken again by whoever
/// continues, as every known dependence is. Pure.
struct RefiningMark {
  std::uint64_t flow = 0;  ///< digest of the data dependences: with others it says nothing
  std::uint64_t schedules = 0, tests_run = 0;  ///< that it took so far
  std::uint64_t other_writers = 0;             ///< of their list, so many were tried
  std::vector<bool> harmless;                  ///< by dependence: not manifest

  /// Of what is known so far.
  static RefiningMark of(const FlowFacts& facts, std::uint64_t other_writers);
  /// nullopt: it is none, or one of other dependences than these.
  static std::optional<RefiningMark> parse(std::string_view text, const FlowFacts& facts);
  std::string text() const;
};

}  // namespace gordian
