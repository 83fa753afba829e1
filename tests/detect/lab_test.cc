// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "detect/lab.h"

#include <gtest/gtest.h>

#include "tests/detect/model_suite.h"

namespace gordian::detect_test {
namespace {

using Kind = OutcomeKind;
using Shape = OrderRunner::Shape;

ModelRunner crash_in_the_middle() {
  return ModelRunner({ModelTest("First"), ModelTest("Crash").crashes_if(0, 0), ModelTest("Last")});
}

TEST(Lab, CountsOrdersAndTheTestsThatRan) {
  ModelRunner runner = crash_in_the_middle();
  Lab lab(runner, false, [] {});
  auto runs = lab.run(std::vector<Order>{order({0, 1, 2}), order({2})}, Shape::tree);
  ASSERT_TRUE(runs);
  EXPECT_EQ(lab.orders(), 2u);
  EXPECT_EQ(lab.tests_run(), 3u);  // nothing ran behind the crash
  EXPECT_EQ((*runs)[0].runs[2].outcome.kind, Kind::not_run);
  EXPECT_EQ(runner.forked(Shape::tree), 2u);
}

TEST(Lab, ForgetsOutputs) {
  ModelRunner runner = crash_in_the_middle();
  Lab lab(runner, false, [] {});
  EXPECT_EQ(lab.run(std::vector<Order>{order({0})}, Shape::flat)->front().runs.front().output, "");
}

TEST(Lab, AFailureOfSuiteTearDownIsNotTheTests) {
  ModelRunner runner = crash_in_the_middle();
  runner.fail_tear_down_of(TestId{0});
  Lab lab(runner, false, [] {});
  EXPECT_EQ(lab.last_outcomes(std::vector<Order>{order({0})})->front().kind, Kind::pass);
}

TEST(Lab, FreshProcessesForOneBatchOrForAll) {
  ModelRunner runner = crash_in_the_middle();
  Lab forking(runner, false, [] {}), fresh(runner, true, [] {});
  ASSERT_TRUE(forking.run_in_fresh_processes(std::vector<Order>{order({0}), order({2})}));
  EXPECT_EQ(runner.fresh(), 2u);
  ASSERT_TRUE(forking.repeat(order({0}), 3));
  EXPECT_EQ(runner.fresh(), 2u);
  EXPECT_EQ(runner.forked(Shape::flat), 3u);
  ASSERT_TRUE(fresh.repeat(order({0}), 3));
  EXPECT_EQ(runner.fresh(), 5u);
}

TEST(Lab, BeatsForEveryBatch) {
  ModelRunner runner = crash_in_the_middle();
  int beats = 0;
  Lab lab(runner, false, [&beats] { ++beats; });
  ASSERT_TRUE(lab.repeat(order({0}), 3));
  ASSERT_TRUE(lab.repeat(order({0}), 1));
  EXPECT_EQ(beats, 2);
}

}  // namespace
}  // namespace gordian::detect_test
