// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "order/ranking.h"

#include <gtest/gtest.h>

#include "tests/order/random_table.h"
#include "tests/order/slow_reference.h"

namespace gordian {
namespace {

using namespace rank_test;

CoverSet covered_by(const CoverTable& table, const Order& tests) {
  CoverSet all(table.units.size());
  for (TestId test : tests) all.merge(table.tests[test.value()]);
  return all;
}

TEST(Reduce, KeepsWhatOnlyOneTestCovers) {
  const CoverTable table = table_of_rows({"11..", "111.", "...1"});
  EXPECT_EQ(reduce_suite(table, first_tests(3)), (Order{TestId{1}, TestId{2}}));
}

TEST(Reduce, ServesRareUnitsFirst) {
  // The example of the paper has this shape: 0 is in most sets of two, though 3 covers most units.
  const CoverTable table = table_of_rows({"11....", "1.1...", ".1.1..", "..1111", "....11"});
  const Order kept = reduce_suite(table, first_tests(5));
  EXPECT_EQ(kept, SlowReduction(table, first_tests(5)).run());
  EXPECT_EQ(covered_by(table, kept), covered_by(table, first_tests(5)));
}

TEST(Reduce, OfTestsThatCoverNothingNoneIsKept) {
  EXPECT_TRUE(reduce_suite(empty_table(4, 9), first_tests(4)).empty());
  EXPECT_TRUE(reduce_suite(empty_table(0, 0), {}).empty());
}

TEST(Reduce, AgreesWithTheSlowReferenceAndCoversTheSame) {
  Random random(1993);
  for (int round = 0; round < 300; ++round) {
    const std::size_t tests = 1 + random.below(20), units = random.below(100);
    const CoverTable table = random_table(tests, units, 1 + random.below(50), random);
    Order some;
    for (TestId test : first_tests(tests)) {
      if (random.below(8) != 0) some.push_back(test);
    }
    SCOPED_TRACE(round);
    const Order kept = reduce_suite(table, some);
    ASSERT_EQ(kept, SlowReduction(table, some).run());
    ASSERT_EQ(covered_by(table, kept), covered_by(table, some));
  }
}

}  // namespace
}  // namespace gordian
