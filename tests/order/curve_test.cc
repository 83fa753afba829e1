// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "order/ranking.h"

#include <gtest/gtest.h>

#include "tests/order/random_table.h"
#include "tests/order/slow_reference.h"

namespace gordian {
namespace {

using namespace rank_test;

TEST(Curve, CountsWhatIsCoveredAfterEachTest) {
  const GrowthCurve curve = growth_curve(table_of_rows({"11..", ".11.", "...."}), first_tests(3));
  EXPECT_EQ(curve.covered, (std::vector<std::size_t>{2, 3, 3}));
  EXPECT_EQ(curve.units, 4u);
  EXPECT_EQ(curve.tests_to_reach(0.5), 1u);
  EXPECT_EQ(curve.tests_to_reach(1.0), 2u);
}

/// APSC: 1 - (sum of the places at which each unit is covered first) / (tests * units) + 1 / (2 *
/// tests).
double slow_rate(const CoverTable& table, const Order& order) {
  double places = 0, units = 0;
  for (std::size_t u = 0; u < table.units.size(); ++u) {
    for (std::size_t i = 0; i < order.size(); ++i) {
      if (!table.tests[order[i].value()].has(u)) continue;
      places += static_cast<double>(i) + 1, units += 1;
      break;
    }
  }
  const double tests = static_cast<double>(order.size());
  return units == 0 ? 0 : 1 - places / (tests * units) + 1 / (2 * tests);
}

TEST(Curve, ItsRateIsTheFormulaOfTheLiterature) {
  Random random(4);
  for (int round = 0; round < 100; ++round) {
    const CoverTable table = random_table(1 + random.below(20), random.below(90), 9, random);
    const Order order = first_tests(table.tests.size());
    ASSERT_NEAR(growth_curve(table, order).rate, slow_rate(table, order), 1e-12);
  }
}

TEST(Curve, NothingCoveredIsRateNull) {
  EXPECT_EQ(growth_curve(empty_table(3, 5), first_tests(3)).rate, 0);
  EXPECT_EQ(growth_curve(empty_table(0, 5), {}).rate, 0);
}

}  // namespace
}  // namespace gordian
