// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "model/estimate.h"

#include <cmath>

namespace gordian {

std::uint64_t saturating_sum(std::uint64_t a, std::uint64_t b) {
  std::uint64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

std::uint64_t saturating_product(std::uint64_t a, std::uint64_t b) {
  std::uint64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

std::uint64_t SearchEstimate::orders() const {
  std::uint64_t sum = 0;
  for (const PhaseEstimate& phase : phases) sum = saturating_sum(sum, phase.orders);
  return sum;
}

std::uint64_t SearchEstimate::tests() const {
  std::uint64_t sum = 0;
  for (const PhaseEstimate& phase : phases) sum = saturating_sum(sum, phase.tests);
  return sum;
}

/// Phases may share their sample, so their errors are added up and not squared first.
std::optional<TimeEstimate> SearchEstimate::time() const {
  // Sums of nanoseconds as numbers that cannot overflow: 300 years are soon reached with k = 6.
  double expected = 0, low = 0, high = 0;
  for (const PhaseEstimate& phase : phases) {
    if (!phase.time) return std::nullopt;
    expected += static_cast<double>(phase.time->expected.count());
    low += static_cast<double>(phase.time->low.count());
    high += static_cast<double>(phase.time->high.count());
  }
  constexpr double kMost = 9.2e18;
  auto time = [](double ns) {
    return std::chrono::nanoseconds(std::llround(std::fmin(ns, kMost)));
  };
  return TimeEstimate{time(expected), time(low), time(high)};
}

}  // namespace gordian
