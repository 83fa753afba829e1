// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "detect/order_check.h"

#include <gtest/gtest.h>

#include "order/constraints.h"
#include "tests/order/model_knowledge.h"
#include "tests/runtime/toy_runtime.h"

namespace gordian {
namespace {

using detect_test::ModelRunner;
using detect_test::ModelTest;

std::vector<ProcessOrder> one_process(Order order) {
  const std::size_t size = order.size();
  return {{std::move(order), std::vector<bool>(size)}};
}

/// Checks orders of a model as if it were a binary.
class Checked {
 public:
  explicit Checked(const ModelRunner& model) {
    OpenTarget open;
    open.facts.suite = model.suite();
    open.tests = model.suite().default_order();
    open.session = std::make_unique<detect_test::ToySession>(Target{}, model);
    check_ = std::make_unique<OrderCheck>(std::move(open), 3, false, nobody_);
    EXPECT_TRUE(check_->establish().ok());
  }
  CheckedOrder check(std::vector<ProcessOrder> processes) {
    auto checked = check_->check("an order", processes);
    EXPECT_TRUE(checked.ok());
    return checked ? std::move(*checked) : CheckedOrder{};
  }
  OrderCheck& operator*() { return *check_; }

 private:
  SearchListener nobody_;
  std::unique_ptr<OrderCheck> check_;
};

TEST(OrderCheck, AChangedResultHasItsOrderAndWasRepeated) {
  const ModelRunner model(
      {ModelTest("Victim").expects(0, 0), ModelTest("Other"), ModelTest("Polluter").sets(0, 1)});
  Checked checked(model);
  const CheckedOrder seen =
      checked.check(one_process({model.id("Polluter"), model.id("Victim"), model.id("Other")}));
  EXPECT_EQ(seen.tests, 3U);
  ASSERT_EQ(seen.changed.size(), 1U);
  EXPECT_EQ(seen.changed[0].test, model.id("Victim"));
  EXPECT_EQ(seen.changed[0].expected.kind, OutcomeKind::pass);
  EXPECT_EQ(seen.changed[0].observed.kind, OutcomeKind::fail);
  EXPECT_EQ(seen.changed[0].order, (Order{model.id("Polluter"), model.id("Victim")}));
  EXPECT_EQ(seen.changed[0].runs, 3);
  EXPECT_TRUE(seen.nondeterministic.empty());
}

TEST(OrderCheck, WhatIsRunForOthersIsNotJudged) {
  const ModelRunner model({ModelTest("Victim").expects(0, 0), ModelTest("Polluter").sets(0, 1)});
  Checked checked(model);
  const CheckedOrder seen =
      checked.check({{{model.id("Polluter"), model.id("Victim")}, {false, true}}});
  EXPECT_EQ(seen.tests, 1U);
  EXPECT_TRUE(seen.changed.empty());
}

TEST(OrderCheck, NoiseIsNoChange) {
  const ModelRunner model({ModelTest("A"), ModelTest("Noisy").fails_in_percent(50)}, 7);
  Checked checked(model);
  for (int round = 0; round < 20; ++round) {
    const CheckedOrder seen = checked.check(one_process({model.id("Noisy"), model.id("A")}));
    EXPECT_TRUE(seen.changed.empty());
  }
}

TEST(OrderCheck, WhatStandsBehindACrashIsNotReached) {
  const ModelRunner model(
      {ModelTest("A").crashes_if(0, 1), ModelTest("B").sets(0, 1), ModelTest("C"), ModelTest("D")});
  Checked checked(model);
  const CheckedOrder seen =
      checked.check(one_process({model.id("B"), model.id("A"), model.id("C"), model.id("D")}));
  ASSERT_EQ(seen.changed.size(), 1U);
  EXPECT_EQ(seen.changed[0].observed.kind, OutcomeKind::crash);
  EXPECT_EQ(seen.not_reached, 2U);
}

TEST(OrderCheck, ATestThatEndsTheDefaultOrderIsLeftOut) {
  const ModelRunner model({ModelTest("A"), ModelTest("Crash").crashes_if(0, 0), ModelTest("B")});
  Checked checked(model);
  const CheckedOrder seen =
      checked.check(one_process({model.id("Crash"), model.id("B"), model.id("A")}));
  EXPECT_TRUE(seen.changed.empty());
  EXPECT_EQ(seen.left_out, 1U);
  EXPECT_EQ(seen.tests, 2U);
}

/// In any order exactly those tests are changed of which the model itself says so; in aware
/// schedules none is.
TEST(OrderCheck, FindsWhatTheModelSaysAndNothingInAwareSchedules) {
  Random random(2026);
  int with_changes = 0;
  for (int round = 0; round < 150; ++round) {
    const ModelRunner model = rank_test::random_model(2 + random.below(8), random);
    Checked checked(model);
    Order order = model.suite().default_order();
    random.shuffle(order);
    std::vector<TestId> differ;
    Random unused(0);
    const std::vector<Outcome> outcomes = model.outcomes(order, unused);
    for (std::size_t i = 0; i < order.size(); ++i) {
      const Outcome expected = rank_test::expected_of(model, order[i]);
      if (!same_result(outcomes[i], expected)) differ.push_back(order[i]);
    }
    const CheckedOrder seen = checked.check(one_process(order));
    std::vector<TestId> changed;
    for (const ChangedResult& one : seen.changed) changed.push_back(one.test);
    ASSERT_EQ(changed, differ) << round;
    with_changes += differ.empty() ? 0 : 1;
    const Constraints constraints = rank_test::find_dependences(model).constraints(model);
    auto ranking = rank_as_listed(order);
    const Schedule schedule = make_schedule({constraints, order, {}}, *ranking);
    ASSERT_TRUE(checked.check(schedule.processes).changed.empty()) << round;
  }
  EXPECT_GT(with_changes, 40);
}

}  // namespace
}  // namespace gordian
