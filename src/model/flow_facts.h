// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The facts about data dependences: what was collected, what was ignored, and which of them are
// manifest, as far as runs have told.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/data_flow.h"

namespace gordian {

/// What runs have shown of a data dependence.
enum class FlowVerdict : std::uint8_t {
  untested,      ///< no order that breaks it was run
  manifest,      ///< breaking it, and no other one, changes a result, each time
  not_manifest,  ///< breaking it changes nothing
  untestable,    ///< no order breaks it alone, or what it shows cannot be told
};
std::string_view to_string(FlowVerdict verdict);
std::optional<FlowVerdict> parse_flow_verdict(std::string_view word);

/// Belongs to the data dependence of the same index.
struct TestedFlow {
  FlowVerdict verdict = FlowVerdict::untested;
  std::string why;  ///< it is untestable: the reason
  TestId changed;   ///< it is manifest: whose result changed
  Order schedule;   ///< it is manifest: the order that shows it, ending with that test
};

/// A state that the user calls free of dependence.
struct IgnoredState {
  StateKey key;
  std::string rule;  ///< as written in the list
  std::uint64_t reads = 0, writes = 0;
  std::uint64_t dependences = 0;  ///< that it took part in
};

struct FlowFacts {
  DataFlow flow;  ///< without what is ignored
  bool backwards = false;
  std::vector<TestedFlow> tested;  ///< one for each dependence of `flow`
  std::vector<IgnoredState> ignored;
  std::uint64_t ignored_dependences = 0;       ///< carried by ignored states alone
  std::uint64_t components = 0;                ///< groups of tests that have no data in common
  std::uint64_t schedules = 0, tests_run = 0;  ///< of the refinement, confirmations apart
  double refined_seconds = 0;
  bool from_store = false;  ///< collected by an earlier command

  std::uint64_t count(FlowVerdict verdict) const;
  /// Tests that a refinement without any knowledge of what is needed would run: every test, once
  /// for each dependence.
  std::uint64_t most_tests() const {
    return static_cast<std::uint64_t>(flow.order.size()) * flow.dependences.size();
  }
};

/// What a search spared itself because of what tests read and write.
struct PruningFacts {
  FlowSource source = FlowSource::watch;
  std::uint64_t needless = 0, needed = 0;  ///< orders left out, orders run
  bool sound = false;               ///< nothing can have been missed: what was left out is proved
  std::vector<std::string> misses;  ///< why it is not
  std::uint64_t passes = 0;
  double seconds = 0;     ///< of the collection
  std::string no_reason;  ///< nothing was left out, because of this
};

}  // namespace gordian
