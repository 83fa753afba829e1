// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "detect/lab.h"

#include <gtest/gtest.h>

#include "tests/detect/model_suite.h"

namespace gordian::detect_test {
namespace {

using Kind = OutcomeKind;

/// `size` tests: the last is the victim of cell 0 holding `needed`, those at `guilty` add 1 to it.
ModelRunner adders(std::size_t size, const std::vector<std::size_t>& guilty) {
  std::vector<ModelTest> tests;
  for (std::size_t i = 0; i < size; ++i) tests.emplace_back("T" + std::to_string(i));
  for (std::size_t i : guilty) tests[i].adds(0, 1);
  tests.back().expects_below(0, static_cast<int>(guilty.size()));
  return ModelRunner(std::move(tests));
}

Order all_before_last(const ModelRunner& runner) {
  Order before = runner.suite().default_order();
  before.pop_back();
  return before;
}

std::optional<Order> minimised(ModelRunner& runner, const Order& before, const Outcome& wanted) {
  Lab lab(runner, false, [] {});
  const TestId last{static_cast<std::uint32_t>(runner.suite().size() - 1)};
  return minimise(lab, before, last, wanted).value();
}

/// No candidate that cannot be run any more is even made.
TEST(Minimise, EndsWithTheSearch) {
  ModelRunner runner = adders(3000, {10, 2900});
  bool stop = false;
  Lab lab(
      runner, false, [] {}, [&stop] { return stop; });
  std::size_t runs = 0;
  runner.at_each_test([&] { stop = stop || ++runs > 10'000; });
  const TestId last{2999};
  auto least = minimise(lab, all_before_last(runner), last, outcome(Kind::fail, 1));
  ASSERT_TRUE(least);
  EXPECT_FALSE(*least);
  EXPECT_LT(runner.log().size(), 20u);
  stop = true;
  const std::size_t before = runner.log().size();
  EXPECT_FALSE(*minimise(lab, all_before_last(runner), last, outcome(Kind::fail, 1)));
  EXPECT_EQ(runner.log().size(), before);
}

TEST(Minimise, OnePolluterAmongFewOrMany) {
  for (std::size_t size : {2u, 5u, 64u, 65u, 66u, 300u}) {
    for (std::size_t guilty : {std::size_t{0}, size / 2 - 1, size - 2}) {
      ModelRunner runner = adders(size, {guilty});
      EXPECT_EQ(minimised(runner, all_before_last(runner), outcome(Kind::fail, 1)),
                Order{TestId{static_cast<std::uint32_t>(guilty)}})
          << size;
    }
  }
}

TEST(Minimise, SeveralNeededTogetherAreKeptTogether) {
  ModelRunner two = adders(20, {3, 17});
  EXPECT_EQ(minimised(two, all_before_last(two), outcome(Kind::fail, 1)), order({3, 17}));
  ModelRunner many = adders(200, {0, 1, 77, 150, 198});
  EXPECT_EQ(minimised(many, all_before_last(many), outcome(Kind::fail, 1)),
            order({0, 1, 77, 150, 198}));
}

TEST(Minimise, NothingWhenTheResultDoesNotCome) {
  ModelRunner runner = adders(10, {4});
  EXPECT_EQ(minimised(runner, order({1, 2, 3}), outcome(Kind::fail, 1)), std::nullopt);
  EXPECT_EQ(minimised(runner, all_before_last(runner), outcome(Kind::fail, 7)), std::nullopt);
}

TEST(Minimise, EmptyWhenTheTestDoesItByItself) {
  ModelRunner runner = adders(10, {4});
  EXPECT_EQ(minimised(runner, {}, outcome(Kind::pass)), Order{});
}

/// What is not needed is left out even if it is the only one.
TEST(Minimise, ASinglePredecessorThatIsNotNeeded) {
  ModelRunner runner = adders(10, {4});
  EXPECT_EQ(minimised(runner, order({2}), outcome(Kind::pass)), Order{});
  EXPECT_EQ(minimised(runner, order({2, 3, 5}), outcome(Kind::pass)), Order{});
}

TEST(Minimise, ACandidateThatCrashesTellsNothing) {
  // Trap crashes unless Key ran; Polluter alone does the harm, all three are in the order.
  ModelRunner runner({ModelTest("Key").sets(1, 1), ModelTest("Trap").crashes_if(1, 0).sets(0, 1),
                      ModelTest("Victim").expects(0, 0)});
  EXPECT_EQ(minimised(runner, order({0, 1}), outcome(Kind::fail, 1)), order({0, 1}));
}

TEST(Minimise, TheSameTestTwice) {
  ModelRunner runner(
      {ModelTest("Adder").adds(0, 1), ModelTest("Other"), ModelTest("Victim").expects_below(0, 2)});
  EXPECT_EQ(minimised(runner, order({0, 1, 0}), outcome(Kind::fail, 1)), order({0, 0}));
}

}  // namespace
}  // namespace gordian::detect_test
