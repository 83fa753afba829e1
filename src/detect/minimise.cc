// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "detect/minimise.h"

#include <algorithm>

namespace gordian {
namespace {

/// Up to here trying every single predecessor is cheaper than halving.
constexpr std::size_t kFewEnough = 64;
constexpr std::size_t kTestsAtATime = 1u << 17;

class Minimiser {
 public:
  Minimiser(Lab& lab, TestId test, const Outcome& wanted)
      : lab_(lab), test_(test), wanted_(wanted) {}

  Result<std::optional<Order>> run(Order before) {
    auto whole = holding({before, {}});
    if (!whole) return whole.error();
    if (!(*whole)[0]) return std::optional<Order>();
    if ((*whole)[1]) return std::optional(Order{});
    for (std::size_t parts = 2; before.size() > 1;) {
      if (lab_.should_stop()) return std::optional<Order>();
      if (before.size() <= kFewEnough && !singles_tried_) {
        auto single = try_singles(before);
        if (!single) return single.error();
        if (*single) return single;
      }
      auto smaller = reduce(before, parts);
      if (!smaller) return smaller.error();
      if (*smaller) {
        before = **smaller;
        parts = std::max<std::size_t>(2, std::min(parts - 1, before.size()));
        continue;
      }
      if (parts >= before.size()) break;
      parts = std::min(before.size(), 2 * parts);
    }
    return std::optional(before);
  }

 private:
  /// Most dependences need one predecessor only.
  Result<std::optional<Order>> try_singles(const Order& before) {
    singles_tried_ = true;
    std::vector<Order> candidates;
    for (TestId id : before) candidates.push_back({id});
    return first_that_holds(candidates);
  }

  /// One of `parts` slices, or what is left without one of them.
  Result<std::optional<Order>> reduce(const Order& before, std::size_t parts) {
    std::vector<Order> slices, complements;
    for (std::size_t i = 0; i < parts; ++i) {
      auto from = before.begin() + static_cast<std::ptrdiff_t>(before.size() * i / parts);
      auto to = before.begin() + static_cast<std::ptrdiff_t>(before.size() * (i + 1) / parts);
      slices.emplace_back(from, to);
      Order rest(before.begin(), from);
      rest.insert(rest.end(), to, before.end());
      complements.push_back(std::move(rest));
    }
    std::vector<Order> candidates = std::move(slices);
    if (parts > 2) candidates.insert(candidates.end(), complements.begin(), complements.end());
    return first_that_holds(candidates);
  }

  /// Some at a time: results take much more room than orders.
  Result<std::optional<Order>> first_that_holds(const std::vector<Order>& candidates) {
    for (std::size_t at = 0; at < candidates.size() && !lab_.should_stop();) {
      std::vector<Order> some;
      for (std::size_t tests = 0; at < candidates.size() && tests < kTestsAtATime; ++at) {
        tests += candidates[at].size() + 1;
        some.push_back(candidates[at]);
      }
      auto holds = holding(some);
      if (!holds) return holds.error();
      auto first = std::find(holds->begin(), holds->end(), true);
      if (first != holds->end()) {
        return std::optional(some[static_cast<std::size_t>(first - holds->begin())]);
      }
    }
    return std::optional<Order>();
  }

  /// Which of the candidates give the result.
  Result<std::vector<bool>> holding(const std::vector<Order>& candidates) {
    std::vector<Order> orders;
    for (Order candidate : candidates) {
      candidate.push_back(test_);
      orders.push_back(std::move(candidate));
    }
    auto outcomes = lab_.last_outcomes(orders);
    if (!outcomes) return outcomes.error();
    std::vector<bool> holds;
    for (const Outcome& outcome : *outcomes) holds.push_back(same_result(outcome, wanted_));
    return holds;
  }

  Lab& lab_;
  TestId test_;
  const Outcome& wanted_;
  bool singles_tried_ = false;
};

}  // namespace

Result<std::optional<Order>> minimise(Lab& lab, const Order& before, TestId test,
                                      const Outcome& wanted) {
  return Minimiser(lab, test, wanted).run(before);
}

}  // namespace gordian
