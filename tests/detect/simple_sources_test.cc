// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "tests/detect/samples.h"

namespace gordian::detect_test {
namespace {

/// How often each ordered pair stands side by side.
std::map<std::pair<TestId, TestId>, int> neighbours(const std::vector<Order>& orders) {
  std::map<std::pair<TestId, TestId>, int> counts;
  for (const Order& one : orders) {
    for (std::size_t i = 1; i < one.size(); ++i) ++counts[{one[i - 1], one[i]}];
  }
  return counts;
}

TEST(Isolation, EveryTestAlone) {
  const Knowledge knowledge = knowledge_of(numbered_suite(3));
  auto source = isolation_source(knowledge);
  EXPECT_EQ(source->total(), 3U);
  EXPECT_EQ(all_of(*source), (std::vector<Order>{order({0}), order({1}), order({2})}));
}

TEST(Reversal, TheDefaultOrderBackwards) {
  const Knowledge knowledge = knowledge_of(numbered_suite(4));
  EXPECT_EQ(all_of(*reversal_source(knowledge)), (std::vector<Order>{order({3, 2, 1, 0})}));
}

TEST(Reversal, WhatEndsTheProcessGoesLast) {
  Knowledge knowledge = knowledge_of(numbered_suite(4));
  knowledge.set_ends_process(TestId{3});
  knowledge.set_ends_process(TestId{1});
  EXPECT_EQ(all_of(*reversal_source(knowledge)), (std::vector<Order>{order({2, 0, 3, 1})}));
}

TEST(Self, TwiceInARow) {
  Knowledge knowledge = knowledge_of(numbered_suite(3));
  knowledge.set_ends_process(TestId{1});
  EXPECT_EQ(all_of(*self_source(knowledge)), (std::vector<Order>{order({0, 0}), order({2, 2})}));
}

TEST(Pairs, EvenNumbersPutEveryPairSideBySideExactlyOnce) {
  for (std::size_t n = 2; n <= 8; n += 2) {
    const Knowledge knowledge = knowledge_of(numbered_suite(n));
    const auto orders = all_of(*pairs_source(knowledge));
    EXPECT_EQ(orders.size(), n);
    const auto counts = neighbours(orders);
    EXPECT_EQ(counts.size(), n * (n - 1));
    for (const auto& [pair, count] : counts) EXPECT_EQ(count, 1) << n;
  }
}

TEST(Pairs, OddNumbersPutEveryPairSideBySide) {
  for (std::size_t n = 3; n <= 9; n += 2) {
    const Knowledge knowledge = knowledge_of(numbered_suite(n));
    const auto orders = all_of(*pairs_source(knowledge));
    EXPECT_EQ(orders.size(), n + 1);
    const auto counts = neighbours(orders);
    EXPECT_EQ(counts.size(), n * (n - 1)) << n;
    for (const auto& [pair, count] : counts) EXPECT_NE(pair.first, pair.second);
  }
}

TEST(Pairs, EveryOrderHoldsEveryTestOnce) {
  for (std::size_t n = 2; n <= 9; ++n) {
    const Knowledge knowledge = knowledge_of(numbered_suite(n));
    for (Order one : all_of(*pairs_source(knowledge))) {
      std::sort(one.begin(), one.end());
      EXPECT_EQ(one, knowledge.tests());
    }
  }
}

TEST(Pairs, OneTestHasNone) {
  EXPECT_TRUE(all_of(*pairs_source(knowledge_of(numbered_suite(1)))).empty());
  EXPECT_TRUE(all_of(*pairs_source(knowledge_of(numbered_suite(0)))).empty());
}

TEST(Pairs, WhatEndsTheProcessIsLeftOut) {
  Knowledge knowledge = knowledge_of(numbered_suite(5));
  knowledge.set_ends_process(TestId{2});
  for (const Order& one : all_of(*pairs_source(knowledge))) {
    EXPECT_EQ(one.size(), 4U);
    EXPECT_EQ(std::find(one.begin(), one.end(), TestId{2}), one.end());
  }
}

TEST(Fixed, AsGivenAndThenNoMore) {
  auto source = fixed_source(PhaseKind::given_orders, {order({2, 1}), order({})});
  EXPECT_EQ(source->key(), (PhaseKey{PhaseKind::given_orders}));
  EXPECT_EQ(source->total(), 2U);
  EXPECT_EQ(source->next(), order({2, 1}));
  EXPECT_EQ(source->next(), order({}));
  EXPECT_EQ(source->next(), std::nullopt);
}

}  // namespace
}  // namespace gordian::detect_test
