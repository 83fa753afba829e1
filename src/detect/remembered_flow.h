// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A collector that looks into the database first, and keeps there what it had to collect: the next
// command finds it, as long as it is the same build.
#pragma once

#include <functional>
#include <memory>

#include "base/result.h"
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

/// `open` is called only when there is something to collect. Trouble with the database is no reason
/// not to collect.
std::unique_ptr<FlowCollector> remembering_collector(FlowMemory memory, OpenCollector open);

/// The last flow of the default order of these tests, with what is known of it.
Result<std::optional<StoredFlow>> remembered(const FlowMemory& memory, const Order& order);

/// For the next command: what was found out about a flow that was collected through such a
/// collector.
Status remember(const FlowMemory& memory, const FlowFacts& facts);

}  // namespace gordian
