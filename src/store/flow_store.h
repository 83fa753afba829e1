// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The last data flow that was collected of each binary and way of starting it, as it was before
// anything was ignored, with what is known of its dependences. One of another build, or of other
// tests, says nothing and is not found.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/data_flow.h"
#include "model/search_record.h"
#include "store/open_file.h"

namespace gordian {

/// What gives a data flow its meaning, besides the build.
struct FlowKey {
  Target target;
  FlowSource source = FlowSource::watch;
  bool alone = false;
  Order order;  ///< the tests, as they ran
};

/// What a refinement has told of one flow.
struct TestedDependence {
  TestId reader, writer;
  TestedFlow tested;
};
struct RefinementRecord {
  std::vector<TestedDependence> tested;
  std::uint64_t schedules = 0, tests_run = 0;
  double seconds = 0;
};

struct StoredFlow {
  DataFlow flow;
  RefinementRecord refinement;
  std::chrono::seconds age{0};
};

class FlowStore : public StoreOf<FlowStore> {
 public:
  using StoreOf::StoreOf;

  /// Replaces an earlier one, and what was known of it.
  Status save(const FlowKey& key, const SearchedBuild& build, const Suite& suite,
              const DataFlow& flow);
  /// Of a flow that is stored; else nothing is done.
  Status save(const FlowKey& key, const SearchedBuild& build, const Suite& suite,
              const RefinementRecord& refinement);

  /// nullopt: there is none.
  Result<std::optional<StoredFlow>> load(const FlowKey& key, const SearchedBuild& build,
                                         const Suite& suite);
};

/// What a refinement has left, by the tests of the dependences.
RefinementRecord record_of(const FlowFacts& facts);
/// And back: dependences that it does not know stay untested.
void apply(const RefinementRecord& record, FlowFacts& facts);

}  // namespace gordian
