// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "rank/curve.h"

#include <algorithm>
#include <cmath>

namespace gordian {

GrowthCurve growth_curve(const CoverTable& table, const Order& order) {
  GrowthCurve curve;
  curve.units = table.units.size();
  CoverSet covered(table.units.size());
  std::size_t count = 0, twice_the_area = 0;
  for (TestId test : order) {
    const std::size_t before = count;
    count += table.tests[test.value()].count_outside(covered);
    covered.merge(table.tests[test.value()]);
    twice_the_area += before + count;
    curve.covered.push_back(count);
  }
  if (count > 0) {
    curve.rate = static_cast<double>(twice_the_area) /
                 (2.0 * static_cast<double>(count) * static_cast<double>(order.size()));
  }
  return curve;
}

std::size_t GrowthCurve::tests_to_reach(double share) const {
  const double wanted = share * static_cast<double>(total());
  auto reached = [wanted](std::size_t count) { return static_cast<double>(count) >= wanted; };
  auto found = std::find_if(covered.begin(), covered.end(), reached);
  return found == covered.end() ? covered.size()
                                : static_cast<std::size_t>(found - covered.begin()) + 1;
}

std::vector<std::size_t> sample_points(std::size_t size, std::size_t most) {
  std::vector<std::size_t> points;
  if (size <= most) {
    for (std::size_t i = 0; i < size; ++i) points.push_back(i);
    return points;
  }
  for (std::size_t i = 0; i < most; ++i) points.push_back(i * (size - 1) / (most - 1));
  return points;
}

}  // namespace gordian
