// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "order/shard.h"

#include <gtest/gtest.h>

#include <numeric>

#include "tests/order/model_knowledge.h"
#include "tests/order/random_table.h"
#include "tests/order/slow_constraints.h"

namespace gordian {
namespace {

using namespace rank_test;
using std::chrono::nanoseconds;

Constraint needs(std::uint32_t test, std::uint32_t setter) {
  return {TestId{test}, Constraint::Kind::needs, {{{TestId{setter}}, {}}}, DependenceId{1}};
}

TEST(Shard, EachTestIsInOneShard) {
  const Constraints constraints(10, {});
  const auto shards = make_shards({constraints, first_tests(10), {}, 3});
  ASSERT_EQ(shards.size(), 3u);
  Order all;
  for (const Shard& shard : shards) {
    EXPECT_GE(shard.tests, 3u);
    for (TestId test : shard.schedule.joined()) all.push_back(test);
  }
  std::sort(all.begin(), all.end());
  EXPECT_EQ(all, first_tests(10));
}

TEST(Shard, LongTestsAreSpread) {
  const Constraints constraints(4, {});
  const std::vector<nanoseconds> times = {nanoseconds(10), nanoseconds(10), nanoseconds(1),
                                          nanoseconds(1)};
  const auto shards = make_shards({constraints, first_tests(4), times, 2});
  EXPECT_EQ(shards[0].time, nanoseconds(11));
  EXPECT_EQ(shards[1].time, nanoseconds(11));
}

TEST(Shard, ABrittleTestStaysWithItsSetter) {
  const Constraints constraints(4, {needs(0, 3), needs(1, 3)});
  const auto groups = inseparable_groups(constraints, first_tests(4));
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(groups[0], (Order{TestId{0}, TestId{1}, TestId{3}}));
}

TEST(Shard, MoreShardsThanTestsLeavesSomeEmpty) {
  const Constraints constraints(2, {});
  const auto shards = make_shards({constraints, first_tests(2), {}, 4});
  EXPECT_EQ(shards.size(), 4u);
  EXPECT_EQ(std::accumulate(shards.begin(), shards.end(), std::size_t{0},
                            [](std::size_t sum, const Shard& s) { return sum + s.tests; }),
            2u);
  EXPECT_TRUE(shards[3].schedule.processes.empty());
}

TEST(Shard, WhatAShardHasToDoBesidesCounts) {
  const Constraints constraints(3, {});
  const std::vector<nanoseconds> times(3, nanoseconds(10));
  const auto shards = make_shards(
      {constraints, first_tests(3), times, 3, {}, {nanoseconds(25), {}, nanoseconds(5)}});
  EXPECT_EQ(shards[0].tests, 0u);
  EXPECT_EQ(shards[1].tests, 2u);
  EXPECT_EQ(shards[2].tests, 1u);
}

TEST(Shard, AStateSetterThatWasNotAskedForHelps) {
  const Constraints constraints(3, {needs(2, 0)});
  const Order asked = {TestId{1}, TestId{2}};
  auto shards = make_shards({constraints, asked, {}, 1, {TestId{0}}});
  EXPECT_TRUE(shards[0].schedule.impossible.empty());
  EXPECT_EQ(shards[0].schedule.extras(), 1u);
  EXPECT_EQ(shards[0].tests, 2u);
  shards = make_shards({constraints, asked, {}, 1});
  EXPECT_EQ(shards[0].schedule.impossible.size(), 1u);
}

/// Longest processing time first: at most 4/3 of the best possible, which is no less than the mean
/// or the longest group.
TEST(Shard, TimesAreBalancedAsPromised) {
  Random random(12);
  for (int round = 0; round < 200; ++round) {
    const std::size_t tests = 1 + random.below(60), count = 1 + random.below(8);
    std::vector<nanoseconds> times;
    for (std::size_t t = 0; t < tests; ++t) times.push_back(nanoseconds(1 + random.below(1000)));
    const Constraints constraints(tests, {});
    const auto shards = make_shards({constraints, first_tests(tests), times, count});
    nanoseconds sum{0}, longest{0}, slowest{0};
    for (nanoseconds time : times) sum += time, longest = std::max(longest, time);
    for (const Shard& shard : shards) slowest = std::max(slowest, shard.time);
    // Greedy: when the last group was added, its shard was the least loaded one.
    ASSERT_LE(slowest.count(), sum.count() / static_cast<std::int64_t>(count) + longest.count());
  }
}

TEST(Shard, GivesOnlyExpectedResultsInModelSuites) {
  Random random(77);
  for (int round = 0; round < 300; ++round) {
    const auto model = random_model(2 + random.below(10), random);
    const Constraints constraints = find_dependences(model).constraints(model);
    const Order tests = model.suite().default_order();
    const auto shards = make_shards({constraints, tests, {}, 1 + random.below(4)});
    std::size_t judged = 0;
    for (const Shard& shard : shards) {
      EXPECT_TRUE(shard.schedule.impossible.empty()) << round;
      for (const ProcessOrder& process : shard.schedule.processes) {
        ASSERT_EQ(surprise_in(model, process.order, process.extra), "") << round;
        judged += process.order.size();
      }
      judged -= shard.schedule.extras();
    }
    ASSERT_EQ(judged, tests.size());
  }
}

}  // namespace
}  // namespace gordian
