// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A search and its budget, by a clock that only tests move.
#include "detect/budget.h"

#include <gtest/gtest.h>

#include "tests/detect/model_search.h"

namespace gordian::detect_test {
namespace {

using namespace std::chrono_literals;

/// Each test takes a millisecond of a time in which nothing else does.
class Timed {
 public:
  Timed(std::vector<ModelTest> tests, std::chrono::milliseconds budget)
      : runner(std::move(tests)), budget_(budget), clock_(std::make_shared<Budget>(budget, [this] {
          return Budget::Clock::time_point(now_);
        })) {
    runner.stop_when([this] { return clock_->is_spent(); });
    runner.at_each_test([this] {
      last_begin = now_;
      now_ += 1ms;
    });
  }

  DetectFacts search(Algorithm algorithm, bool all = false) {
    DetectRequest request;
    request.algorithm = algorithm;
    request.seed = 5;
    request.budget = budget_;
    request.all = all;
    request.collector = collector_of(runner);
    DetectFacts facts;
    facts.suite = runner.suite();
    SearchListener silent;
    Search search(request, runner, facts, silent, clock_);
    EXPECT_TRUE(search.begin(runner.suite().default_order()));
    EXPECT_TRUE(search.run_algorithm());
    EXPECT_TRUE(search.finish());
    return facts;
  }

  ModelRunner runner;
  Budget::Clock::duration last_begin{0};

 private:
  std::chrono::milliseconds budget_;
  Budget::Clock::duration now_{0};
  std::shared_ptr<Budget> clock_;
};

/// Much to confirm, to minimise and to complete: wherever the budget ends, it ends inside of that.
std::vector<ModelTest> many_victims() {
  std::vector<ModelTest> tests;
  for (int i = 0; i < 12; ++i) {
    tests.push_back(ModelTest("V" + std::to_string(i)).expects(static_cast<std::size_t>(i) % 4, 0));
  }
  for (int i = 0; i < 4; ++i) {
    tests.push_back(ModelTest("P" + std::to_string(i)).sets(static_cast<std::size_t>(i), 1));
  }
  return tests;
}

TEST(Budget, WhatIsSpentStaysSpent) {
  Budget::Clock::duration now{0};
  Budget budget(100ms, [&now] { return Budget::Clock::time_point(now); });
  budget.reserve(10ms);
  now = 95ms;
  EXPECT_TRUE(budget.is_spent());
  budget.reserve(1ms);
  EXPECT_TRUE(budget.is_spent());
}

TEST(SearchBudget, NothingIsBegunWhenItIsSpent) {
  for (Algorithm algorithm :
       {Algorithm::automatic, Algorithm::isolation, Algorithm::reversal, Algorithm::random,
        Algorithm::exhaustive, Algorithm::aware, Algorithm::pairs, Algorithm::screen,
        Algorithm::self, Algorithm::dataflow}) {
    for (std::chrono::milliseconds budget : {30ms, 90ms, 130ms, 200ms, 400ms, 900ms, 2000ms}) {
      SCOPED_TRACE(std::string(to_string(algorithm)) + " " + std::to_string(budget.count()));
      Timed timed(many_victims(), budget);
      const DetectFacts facts = timed.search(algorithm);
      EXPECT_LT(timed.last_begin, budget);
      EXPECT_LE(facts.search.wall, budget + 1ms);
      check_true(timed.runner, facts);
      EXPECT_TRUE(facts.nondeterministic.empty());  // what was cut off is no other result
      EXPECT_TRUE(facts.left_out.empty());
    }
  }
}

TEST(SearchBudget, WhatWasNotConfirmedInTimeIsLeftOpen) {
  // The default order takes 5 times 16 ms; the reversed one shows victims at once.
  Timed timed(many_victims(), 100ms);
  const DetectFacts facts = timed.search(Algorithm::reversal);
  EXPECT_TRUE(facts.search.out_of_budget);
  EXPECT_TRUE(facts.dependences.empty());
  EXPECT_FALSE(facts.search.nothing_searched);
  ASSERT_EQ(facts.search.unseen.size(), 12u);
  EXPECT_EQ(facts.search.unseen[0].order.back(), TestId{0});
}

TEST(SearchBudget, ListsAreCompletedBehindItIfAsked) {
  Timed timed(many_victims(), 900ms);
  const DetectFacts facts = timed.search(Algorithm::reversal, true);
  ASSERT_FALSE(facts.dependences.empty());
  EXPECT_GT(timed.last_begin, 900ms);
  for (const Dependence& found : facts.dependences) EXPECT_TRUE(found.singles_complete);
}

TEST(SearchBudget, TheDefaultOrderAloneIsNoSearch) {
  for (std::chrono::milliseconds budget : {1ms, 40ms, 80ms}) {
    Timed timed(many_victims(), budget);
    const DetectFacts facts = timed.search(Algorithm::automatic);
    EXPECT_TRUE(facts.search.nothing_searched) << budget.count();
    EXPECT_TRUE(facts.search.out_of_budget);
    EXPECT_EQ(facts.search.complete_k, 0);
    EXPECT_EQ(facts.end, RunEnd::finished);
  }
  Timed enough(many_victims(), 81ms);
  EXPECT_FALSE(enough.search(Algorithm::automatic).search.nothing_searched);
}

/// The expected results of what stands behind a crash come from a second round.
TEST(SearchBudget, WhatEndsInTheDefaultOrderIsNoSearch) {
  std::vector<ModelTest> tests = many_victims();
  tests.insert(tests.begin() + 1, ModelTest("Crash").crashes_if(3, 0));
  for (Algorithm algorithm :
       {Algorithm::automatic, Algorithm::isolation, Algorithm::reversal, Algorithm::random,
        Algorithm::exhaustive, Algorithm::aware, Algorithm::pairs, Algorithm::screen,
        Algorithm::self, Algorithm::dataflow}) {
    Timed timed(tests, 50ms);
    const DetectFacts facts = timed.search(algorithm);
    EXPECT_TRUE(facts.search.nothing_searched) << to_string(algorithm);
  }
}

/// Nothing but leaving out: there are 10^9 of these orders.
TEST(SearchBudget, CountsWhileOrdersAreLeftOut) {
  std::vector<ModelTest> tests;
  for (int i = 0; i < 1000; ++i) tests.emplace_back("T" + std::to_string(i));
  for (Algorithm algorithm : {Algorithm::exhaustive, Algorithm::aware}) {
    ModelRunner runner(tests);
    Knowledge knowledge(runner.suite());
    knowledge.set_tests(runner.suite().default_order());
    for (TestId test : knowledge.tests()) knowledge.set_settled(test);
    auto source = algorithm == Algorithm::aware ? aware_source(knowledge, 3)
                                                : exhaustive_source(knowledge, 3);
    source->leave_out_settled();
    int asked = 0;
    source->stop_when([&asked] { return ++asked > 3; });
    while (auto order = source->next()) EXPECT_LT(order->size(), 3u);
    EXPECT_EQ(asked, 4) << to_string(algorithm);
  }
}

TEST(SearchBudget, NoResultInTheDefaultOrderIsNoSearch) {
  ModelRunner runner({ModelTest("A"), ModelTest("B")});
  runner.lose([](const Order&, bool) { return true; });
  runner.stop_after(0);
  EXPECT_TRUE(search_model(runner, Algorithm::automatic).search.nothing_searched);
}

}  // namespace
}  // namespace gordian::detect_test
