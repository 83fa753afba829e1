// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "runtime/native/plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "wire/protocol.h"

namespace gordian {
namespace {

using gordian_wire::kClose;
using gordian_wire::kOpen;
using testing::ElementsAre;

Order order(std::initializer_list<std::uint32_t> tests) {
  Order result;
  for (std::uint32_t test : tests) result.push_back(TestId{test});
  return result;
}

/// The tests at an order's positions: what the plan will run for it.
std::vector<std::int32_t> ran_for(const Plan& plan, std::size_t index) {
  std::vector<std::int32_t> tests;
  for (std::uint32_t token : plan.positions(index)) tests.push_back(plan.tokens()[token]);
  return tests;
}

TEST(Plan, InProcessIsTheOrderItself) {
  Plan plan = Plan::in_process(order({4, 2, 4}));
  EXPECT_THAT(plan.tokens(), ElementsAre(4, 2, 4, kClose));
  EXPECT_THAT(plan.positions(0), ElementsAre(0, 1, 2));
  EXPECT_EQ(plan.branch_of(1), Plan::kNoBranch);
  EXPECT_THAT(plan.tests(), ElementsAre(0, 1, 2));
}

TEST(Plan, FlatForksOncePerOrder) {
  std::vector<Order> orders = {order({3, 7}), order({3, 9})};
  Plan plan = Plan::flat(orders);
  EXPECT_THAT(plan.tokens(), ElementsAre(kOpen, 3, 3, 7, kClose, kOpen, 3, 3, 9, kClose, kClose));
  EXPECT_THAT(plan.positions(1), ElementsAre(7, 8));
  EXPECT_EQ(plan.branch_of(3), 0u);
  EXPECT_EQ(plan.branch_of(8), 5u);
  EXPECT_EQ(plan.branch_of(0), Plan::kNoBranch);
}

TEST(Plan, TreeRunsACommonPrefixOnce) {
  std::vector<Order> orders = {order({3, 7}), order({3, 9})};
  Plan plan = Plan::tree(orders);
  EXPECT_THAT(plan.tokens(),
              ElementsAre(kOpen, 10, 3, kOpen, 2, 7, kClose, kOpen, 2, 9, kClose, kClose, kClose));
  EXPECT_THAT(plan.positions(0), ElementsAre(2, 5));
  EXPECT_THAT(plan.positions(1), ElementsAre(2, 9));
  EXPECT_EQ(plan.branch_of(5), 3u);
  EXPECT_EQ(plan.branch_of(3), 0u);
}

TEST(Plan, LengthsLeadPastTheBranch) {
  std::vector<Order> orders = {order({1, 2, 3}), order({1, 2, 4}), order({1, 5}), order({6})};
  Plan plan = Plan::tree(orders);
  const auto& tokens = plan.tokens();
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    if (tokens[at] != kOpen) continue;
    auto end = at + 1 + static_cast<std::size_t>(tokens[at + 1]);
    ASSERT_LT(end, tokens.size());
    EXPECT_EQ(tokens[end], kClose);
    ++at;  // the length may look like any token
  }
}

TEST(Plan, OrderThatIsAPrefixCostsNothing) {
  std::vector<Order> orders = {order({1, 2}), order({1}), order({1, 2})};
  Plan plan = Plan::tree(orders);
  EXPECT_EQ(plan.tests().size(), 2u);
  EXPECT_THAT(ran_for(plan, 0), ElementsAre(1, 2));
  EXPECT_THAT(ran_for(plan, 1), ElementsAre(1));
  EXPECT_EQ(plan.positions(0), plan.positions(2));
}

TEST(Plan, AllPairsCostNPlusNSquaredTests) {
  constexpr std::uint32_t kTests = 6;
  std::vector<Order> orders;
  for (std::uint32_t a = 0; a < kTests; ++a) {
    for (std::uint32_t b = 0; b < kTests; ++b) {
      if (a != b) orders.push_back(order({a, b}));
    }
  }
  Plan plan = Plan::tree(orders);
  EXPECT_EQ(plan.tests().size(), kTests + kTests * (kTests - 1));
  for (std::size_t i = 0; i < orders.size(); ++i) {
    EXPECT_THAT(ran_for(plan, i), ElementsAre(orders[i][0].value(), orders[i][1].value()));
  }
}

TEST(Plan, SameTestTwiceInARow) {
  std::vector<Order> orders = {order({5, 5})};
  EXPECT_THAT(ran_for(Plan::tree(orders), 0), ElementsAre(5, 5));
}

TEST(Plan, NothingToRunIsAPlanToo) {
  EXPECT_THAT(Plan::flat({}).tokens(), ElementsAre(kClose));
  EXPECT_THAT(Plan::tree({}).tokens(), ElementsAre(kClose));
}

}  // namespace
}  // namespace gordian
