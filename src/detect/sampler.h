// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// How long the orders of a source take, from some of them drawn at random: the way in which a
// search that is too long to be run can still be said to be too long.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/random.h"
#include "base/result.h"
#include "detect/lab.h"
#include "detect/order_source.h"

namespace gordian {

/// The engine is asked to stop when it has passed; moved on for each measurement.
struct Deadline {
  using Clock = std::chrono::steady_clock;
  Clock::time_point at = Clock::time_point::max();
  bool passed() const { return Clock::now() >= at; }
};

/// Some orders, run together.
struct SampleBatch {
  std::chrono::nanoseconds took{0};
  std::uint64_t orders = 0;
  std::uint64_t tests = 0;  ///< in those orders; if it was cut, those that came to their end
  bool cut = false;         ///< by the deadline
};

/// Time for each test of an order, its share of forks and all else included.
struct SampledRate {
  double ns = 0, low = 0, high = 0;  ///< with the 95 % confidence interval
  std::uint64_t orders = 0, tests = 0;
};

/// nullopt if not one test came to its end. The interval is that of a ratio, with the batches as
/// clusters. With a batch that was cut, or less than three, it is that of a rate of events, of
/// which each test that ended is one: right if durations are exponential, and never too narrow if
/// they are more even.
std::optional<SampledRate> rate_of(const std::vector<SampleBatch>& batches);

class Sampler {
 public:
  /// `together`: orders that the engine runs at a time.
  Sampler(Lab& lab, Deadline& deadline, std::uint64_t seed, int together)
      : lab_(lab), deadline_(deadline), random_(seed), together_(together) {}

  /// For about `slice`, and never past twice of it or `end`.
  Result<std::optional<SampledRate>> measure(const OrderSource& source, OrderRunner::Shape shape,
                                             std::chrono::nanoseconds slice,
                                             Deadline::Clock::time_point end);

  /// What all orders measured so far, and `batch`, say together.
  void add(const SampleBatch& batch) { all_.push_back(batch); }
  /// A run outside of this was cut: the program has to be started again.
  void was_cut(bool cut) { was_cut_ = cut; }
  std::optional<SampledRate> overall() const { return rate_of(all_); }

 private:
  std::vector<Order> draw(const OrderSource& source, std::size_t count);
  Result<SampleBatch> run(const std::vector<Order>& orders, OrderRunner::Shape shape);
  Status revive(Deadline::Clock::time_point end);

  Lab& lab_;
  Deadline& deadline_;
  Random random_;
  int together_;
  std::vector<SampleBatch> all_;
  std::optional<TestId> quickest_;
  std::chrono::nanoseconds its_duration_{0};
  bool was_cut_ = false;
};

}  // namespace gordian
