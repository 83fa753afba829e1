// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "detect/sampler.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "runtime/interrupt.h"

namespace gordian {
namespace {

using Clock = Deadline::Clock;

/// Neighbours of one prefix in a sample: enough to show what sharing it saves.
constexpr std::size_t kNeighbours = 16;

/// Of a slice: so that there are enough of them to see how much they differ.
constexpr int kBatches = 8;

/// Two-sided 95 % quantile of Student's distribution.
double student(std::size_t freedom) {
  constexpr std::array<double, 9> few = {12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26};
  if (freedom <= few.size()) return few[freedom - 1];
  return 1.96 + 2.7 / static_cast<double>(freedom);
}

double ns_of(const SampleBatch& batch) {
  return static_cast<double>(batch.took.count());
}

/// Half the interval's width, as the error of sum(time) / sum(tests) over batches.
double ratio_error(const std::vector<SampleBatch>& batches, double rate, double tests) {
  const auto count = static_cast<double>(batches.size());
  double squares = 0;
  for (const SampleBatch& batch : batches) {
    squares += std::pow(ns_of(batch) - rate * static_cast<double>(batch.tests), 2);
  }
  return student(batches.size() - 1) * std::sqrt(count * squares / (count - 1)) / tests;
}

}  // namespace

std::optional<SampledRate> rate_of(const std::vector<SampleBatch>& batches) {
  SampledRate rate;
  double ns = 0;
  bool cut = false;
  for (const SampleBatch& batch : batches) {
    ns += ns_of(batch);
    rate.orders += batch.orders;
    rate.tests += batch.tests;
    cut = cut || batch.cut;
  }
  if (rate.tests == 0) return std::nullopt;
  const auto tests = static_cast<double>(rate.tests);
  rate.ns = ns / tests;
  if (cut || batches.size() < 3) {
    const double spread = std::exp(1.96 / std::sqrt(tests));
    rate.low = rate.ns / spread;
    rate.high = rate.ns * spread;
    return rate;
  }
  const double error = ratio_error(batches, rate.ns, tests);
  rate.low = std::max(0.0, rate.ns - error);
  rate.high = rate.ns + error;
  return rate;
}

std::vector<Order> Sampler::draw(const OrderSource& source, std::size_t count) {
  constexpr std::size_t kMostTests = 1u << 15, kMostTries = 1000;
  std::vector<Order> orders;
  std::set<Order> drawn;
  std::size_t tests = 0, tries = 0;
  while (orders.size() < count && tests < kMostTests && tries++ < kMostTries + count) {
    for (Order& order : source.draw(random_, std::min(kNeighbours, count - orders.size()))) {
      // In a tree an order that comes twice would cost nothing.
      if (source.shares_prefixes() && !drawn.insert(order).second) continue;
      tests += order.size();
      orders.push_back(std::move(order));
    }
  }
  return orders;
}

Result<SampleBatch> Sampler::run(const std::vector<Order>& orders, OrderRunner::Shape shape) {
  const auto since = Clock::now();
  auto runs = lab_.run(orders, shape);
  SampleBatch batch{Clock::now() - since, 0, 0, deadline_.passed()};
  if (!runs) {
    // The deadline came while the engine started the program again.
    if (batch.cut && runs.error().kind == ErrorKind::interrupted) return batch;
    return runs.error();
  }
  for (const OrderRun& run : *runs) {
    bool known = false;
    for (const TestRun& test : run.runs) {
      const bool ended = is_known(test.outcome);
      known = known || ended;
      batch.tests += ended || !batch.cut;
      if (!ended || (quickest_ && test.duration >= its_duration_)) continue;
      quickest_ = test.test;
      its_duration_ = test.duration;
    }
    batch.orders += known;
  }
  if (batch.orders == 0) batch.tests = 0;
  return batch;
}

/// A run that is cut ends the program; starting it again must not be measured.
Status Sampler::revive(Clock::time_point end) {
  if (!was_cut_ || !quickest_ || Clock::now() >= end) return {};
  was_cut_ = false;
  deadline_.at = end;
  auto batch = run({Order{*quickest_}}, OrderRunner::Shape::flat);
  return batch ? Status() : Status(batch.error());
}

Result<std::optional<SampledRate>> Sampler::measure(const OrderSource& source,
                                                    OrderRunner::Shape shape,
                                                    std::chrono::nanoseconds slice,
                                                    Clock::time_point end) {
  if (Status alive = revive(end); !alive) return alive.error();
  const auto since = Clock::now();
  deadline_.at = std::min(since + 2 * slice, end);
  std::vector<SampleBatch> batches;
  std::size_t size = static_cast<std::size_t>(together_) * 2;
  while (Clock::now() - since < slice && !deadline_.passed() && !interrupted()) {
    std::vector<Order> orders = draw(source, size);
    if (orders.empty()) break;
    auto batch = run(orders, shape);
    if (!batch) return batch.error();
    batches.push_back(*batch);
    was_cut_ = batch->cut;
    const double aim = static_cast<double>(slice.count()) / kBatches;
    const double factor = std::clamp(aim / std::max(1.0, ns_of(*batch)), 0.25, 4.0);
    size = std::clamp<std::size_t>(static_cast<std::size_t>(static_cast<double>(size) * factor),
                                   static_cast<std::size_t>(together_), 20'000);
  }
  // The first one warms up, and is the smallest.
  if (batches.size() > 4) batches.erase(batches.begin());
  all_.insert(all_.end(), batches.begin(), batches.end());
  return rate_of(batches);
}

}  // namespace gordian
