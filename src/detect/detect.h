// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// `gordian detect`, `gordian graph` and `gordian detect --estimate` as library calls.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "config/ignore_list.h"
#include "detect/algorithms.h"
#include "detect/journal.h"
#include "detect/listener.h"
#include "detect/order_source.h"
#include "model/data_flow.h"
#include "model/dependence.h"
#include "model/estimate.h"
#include "model/order_spec.h"
#include "model/target.h"
#include "runtime/engine_options.h"
#include "runtime/order_runner.h"
#include "runtime/powers.h"
#include "runtime/session.h"
#include "store/search_store.h"

namespace gordian {

class FlowStore;

struct DetectRequest {
  Target target;
  TestFilter filter;
  Algorithm algorithm = Algorithm::automatic;
  int k = 2;                              ///< exhaustive, aware
  std::uint64_t trials = 100;             ///< random
  std::uint64_t seed = 0;                 ///< random, screen
  bool seed_is_given = false;             ///< else an earlier search is continued with its seed
  Shuffling shuffling = Shuffling::both;  ///< random
  int rounds = 3;                         ///< screen
  int confirmations = 3;
  std::chrono::milliseconds budget{60'000};  ///< of automatic; 0 = none
  bool all = false;                          ///< complete lists of polluters and cleaners, always
  bool also_disabled = false;
  /// Of one order from the next: process is the slow reference. Not none.
  Isolation isolation = Isolation::automatic;
  EngineOptions engine;
  /// Orders known to fail (from a CI log): these alone are examined, by name.
  std::vector<std::vector<std::string>> suspects;
  /// The framework's own shuffle with this seed, instead of those (which must still be its tests).
  std::optional<std::uint32_t> framework_seed;
  SearchStore* store = nullptr;  ///< where searches are continued from; null: nowhere
  bool full = false;             ///< start afresh
  /// Who collects what tests read and write; empty: it is not known.
  std::function<Result<std::unique_ptr<FlowCollector>>()> collector;
  FlowSource flow_source = FlowSource::watch;
  bool both_ways = false;      ///< dataflow: the reverse of the default order, too
  IgnoreList ignore;           ///< states that carry no data dependence
  FlowStore* flows = nullptr;  ///< where collections are kept; null: nowhere
};

/// Runs the search to its end, its budget or an interrupt; what is known then is in the facts.
Result<DetectFacts> detect(const DetectRequest& request, SearchListener& listener);

/// A session that is ready to run orders: what a search and the estimate of one have in common.
struct OpenTarget {
  std::unique_ptr<Session> session;
  DetectFacts facts;  ///< binary, target, suite, isolation, notices; nothing of a search
  Order tests;        ///< those to be searched, in the default order
};

/// `should_stop` is what the engine asks while it runs.
Result<OpenTarget> open_target(const DetectRequest& request, std::function<bool()> should_stop);

// `gordian graph` as a library call: the data dependences of a binary, from the database or
// collected now, with what searches have found out about them.

/// Of `request`: target, filter, also_disabled, engine, flow_source, both_ways, ignore, flows,
/// collector, and `full` (collect again).
Result<GraphFacts> collect_graph(const DetectRequest& request,
                                 const std::function<void(const CollectProgress&)>& progress);

/// How the flow of an opened target is remembered.
FlowMemory flow_memory(const DetectRequest& request, const DetectFacts& facts);
/// request.collector, or the one for the target where none is given.
OpenCollector collector_for(const DetectRequest& request, const OpenTarget& open);

// `gordian detect --estimate` as a library call: what searches would cost, in a few seconds. The
// default order is established as a search would do it; then orders that a search would run are
// drawn at random and measured. Numbers of orders and tests come from the sources themselves.

struct Deadline;

/// Nothing is run any longer than this, apart from starting the program.
inline constexpr auto kEstimateTime = std::chrono::seconds(5);

/// A search to be estimated; `k` counts for exhaustive and aware.
struct AskedSearch {
  Algorithm algorithm = Algorithm::automatic;
  int k = 0;
  std::chrono::milliseconds budget{0};  ///< 0: none
};

/// Every algorithm, with k = 1, 2 and 3 where there is one. `automatic`: the budget of that one.
std::vector<AskedSearch> all_searches(std::chrono::milliseconds automatic,
                                      std::chrono::milliseconds others);

/// Of `request` all but algorithm, k, budget and suspects counts, as it would for the search
/// itself.
Result<EstimateFacts> estimate(const DetectRequest& request, const std::vector<AskedSearch>& asked,
                               SearchListener& listener);

/// The same with any runner. It must stop soon after `deadline`, which moves.
Status estimate_with(OrderRunner& runner, Deadline& deadline, const Order& tests,
                     const DetectRequest& request, const std::vector<AskedSearch>& asked,
                     SearchListener& listener, EstimateFacts& facts);

}  // namespace gordian
