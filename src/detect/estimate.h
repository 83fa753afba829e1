// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// `gordian detect --estimate` as a library call: what searches would cost, in a few seconds. The
// default order is established as a search would do it; then orders that a search would run are
// drawn at random and measured. Numbers of orders and tests come from the sources themselves.
#pragma once

#include <chrono>
#include <vector>

#include "base/result.h"
#include "detect/detect.h"
#include "detect/listener.h"
#include "model/estimate.h"
#include "runtime/order_runner.h"

namespace gordian {

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
