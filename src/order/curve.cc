// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "order/curve.h"

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

}  // namespace gordian
