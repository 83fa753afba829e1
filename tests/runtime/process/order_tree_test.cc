// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "runtime/process/process_runner.h"

#include <gtest/gtest.h>

namespace gordian {
namespace {

Order order(std::initializer_list<std::uint32_t> numbers) {
  Order result;
  for (std::uint32_t number : numbers) result.push_back(TestId{number});
  return result;
}

TEST(OrderForest, CommonBeginningsAreOne) {
  const std::vector<Order> orders = {order({0, 1}), order({0, 2, 1}), order({0, 2}), order({3})};
  const OrderForest forest(orders);
  ASSERT_EQ(forest.trees().size(), 2u);
  EXPECT_EQ(forest.trees()[0].tests, order({0, 1, 2, 1}));
  EXPECT_EQ(forest.trees()[0].branches, (Branches{{1, 2}, {}, {3}, {}}));
  EXPECT_EQ(forest.trees()[1].tests, order({3}));
}

TEST(OrderForest, EachOrderHasTheRunsOfItsOwnPath) {
  const std::vector<Order> orders = {order({0, 1}), order({0, 2}), order({0, 2, 1})};
  const OrderForest forest(orders);
  std::vector<OrderRun> trees(1);
  for (TestId test : forest.trees()[0].tests) {
    trees[0].runs.emplace_back(test);
    trees[0].runs.back().output = std::to_string(trees[0].runs.size() - 1);
  }
  for (std::size_t i = 0; i < orders.size(); ++i) {
    const OrderRun run = forest.run_of(i, orders[i], trees);
    ASSERT_EQ(run.runs.size(), orders[i].size());
    for (std::size_t p = 0; p < run.runs.size(); ++p) EXPECT_EQ(run.runs[p].test, orders[i][p]);
  }
  EXPECT_EQ(forest.run_of(2, orders[2], trees).runs.back().output, "3");
}

}  // namespace
}  // namespace gordian
