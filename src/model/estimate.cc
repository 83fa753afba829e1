// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "model/estimate.h"

#include <cmath>

namespace gordian {

std::uint64_t saturating_product(std::uint64_t a, std::uint64_t b) {
  std::uint64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

static std::uint64_t sum_of(const std::vector<PhaseEstimate>& phases,
                            std::uint64_t PhaseEstimate::*part) {
  std::uint64_t sum = 0;
  for (const PhaseEstimate& phase : phases) {
    if (__builtin_add_overflow(sum, phase.*part, &sum)) return UINT64_MAX;
  }
  return sum;
}

std::uint64_t SearchEstimate::orders() const {
  return sum_of(phases, &PhaseEstimate::orders);
}

std::uint64_t SearchEstimate::tests() const {
  return sum_of(phases, &PhaseEstimate::tests);
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
