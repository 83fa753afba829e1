// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What a search would cost: numbers of orders and tests, samples, and rates.
#include "detect/detect.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "detect/sampler.h"
#include "tests/detect/model_search.h"

namespace gordian::detect_test {
namespace {

using std::chrono::nanoseconds;

std::vector<std::unique_ptr<OrderSource>> sources_of(const Suite& suite,
                                                     const Knowledge& knowledge) {
  std::vector<std::unique_ptr<OrderSource>> sources;
  sources.push_back(isolation_source(knowledge));
  sources.push_back(reversal_source(knowledge));
  sources.push_back(self_source(knowledge));
  sources.push_back(random_source(suite, knowledge, 3, 7, Shuffling::both));
  sources.push_back(pairs_source(knowledge));
  sources.push_back(screen_source(knowledge, 3, 2));
  for (int k = 1; k <= 4; ++k) sources.push_back(exhaustive_source(knowledge, k));
  return sources;
}

TEST(Totals, AreWhatTheSourcesGive) {
  for (std::size_t size : {1u, 2u, 5u, 6u}) {
    const Suite suite = numbered_suite(size);
    Knowledge knowledge = knowledge_of(suite);
    if (size > 5) knowledge.set_alone(TestId{2}, outcome(OutcomeKind::crash));
    for (const auto& source : sources_of(suite, knowledge)) {
      const std::uint64_t orders = source->total(), tests = source->total_tests();
      std::uint64_t seen = 0;
      const auto all = all_of(*source);
      for (const Order& order : all) seen += order.size();
      EXPECT_EQ(orders, all.size()) << source->key().text() << " " << size;
      EXPECT_EQ(tests, seen) << source->key().text() << " " << size;
    }
  }
}

TEST(Totals, OfMoreThanCanBeCounted) {
  const Suite suite = numbered_suite(3000);
  const Knowledge knowledge = knowledge_of(suite);
  EXPECT_EQ(exhaustive_source(knowledge, 3)->total(), 26'973'006'000u);
  EXPECT_EQ(exhaustive_source(knowledge, 6)->total(), UINT64_MAX);
  EXPECT_EQ(exhaustive_source(knowledge, 6)->total_tests(), UINT64_MAX);
}

TEST(Draw, OnlyOrdersOfTheSourceAndInTimeAllOfThem) {
  const Suite suite = numbered_suite(4);
  const Knowledge knowledge = knowledge_of(suite);
  for (const auto& source : sources_of(suite, knowledge)) {
    Random random(1);
    std::set<Order> drawn;
    for (int i = 0; i < 500; ++i) {
      auto some = source->draw(random, 3);
      ASSERT_FALSE(some.empty());
      EXPECT_LE(some.size(), 3u);
      drawn.insert(some.begin(), some.end());
    }
    const auto all = all_of(*source);
    EXPECT_EQ(drawn, std::set<Order>(all.begin(), all.end())) << source->key().text();
  }
}

TEST(Rate, OfEvenBatchesIsCertain) {
  auto rate = rate_of(std::vector<SampleBatch>(5, {nanoseconds(1000), 5, 10, false}));
  ASSERT_TRUE(rate);
  EXPECT_DOUBLE_EQ(rate->ns, 100);
  EXPECT_NEAR(rate->low, 100, 1e-6);
  EXPECT_NEAR(rate->high, 100, 1e-6);
  EXPECT_EQ(rate->orders, 25u);
}

TEST(Rate, OfUnevenBatchesHasAnInterval) {
  auto rate = rate_of({{nanoseconds(900), 1, 10, false},
                       {nanoseconds(1000), 1, 10, false},
                       {nanoseconds(1100), 1, 10, false}});
  ASSERT_TRUE(rate);
  EXPECT_DOUBLE_EQ(rate->ns, 100);
  // By hand: the standard deviation of a batch is 100, of the mean 100 / sqrt 3; Student's 4.30.
  EXPECT_NEAR(rate->high - rate->ns, 4.30 * 10 / std::sqrt(3.0), 0.01);
}

TEST(Rate, OfACutBatchCountsWhatEnded) {
  auto rate = rate_of({{nanoseconds(4000), 2, 4, true}});
  ASSERT_TRUE(rate);
  EXPECT_DOUBLE_EQ(rate->ns, 1000);
  EXPECT_LT(rate->low, 500);
  EXPECT_GT(rate->high, 2000);
  EXPECT_FALSE(rate_of({{nanoseconds(4000), 2, 0, true}}));
  EXPECT_FALSE(rate_of({}));
}

EstimateFacts estimated(ModelRunner& runner, const AskedSearch& asked) {
  DetectRequest request;
  request.seed = 5;
  request.trials = 50;
  Deadline deadline;
  SearchListener silent;
  EstimateFacts facts;
  EXPECT_TRUE(estimate_with(runner, deadline, runner.suite().default_order(), request, {asked},
                            silent, facts));
  return facts;
}

TEST(Estimate, CountsWhatTheSearchOfACleanSuiteRuns) {
  for (AskedSearch asked : {AskedSearch{Algorithm::exhaustive, 2}, {Algorithm::automatic, 0}}) {
    const std::vector<ModelTest> tests = {ModelTest("A"), ModelTest("B"), ModelTest("C")};
    ModelRunner runner(tests), twin(tests);
    EstimateFacts said = estimated(runner, asked);
    DetectFacts done = search_model(twin, asked.algorithm, asked.k);
    ASSERT_EQ(said.searches.size(), 1u);
    EXPECT_EQ(said.searches[0].orders(), done.search.orders);
    EXPECT_EQ(said.searches[0].tests(), done.search.tests_run);
    ASSERT_EQ(said.searches[0].phases.front().kind, PhaseKind::default_order);
    EXPECT_TRUE(said.searches[0].time());
  }
}

/// With the data dependences of the model.
EstimateFacts estimated_by_flow(ModelRunner& runner, const std::vector<AskedSearch>& asked) {
  DetectRequest request;
  request.collector = collector_of(runner);
  Deadline deadline;
  SearchListener silent;
  EstimateFacts facts;
  EXPECT_TRUE(estimate_with(runner, deadline, runner.suite().default_order(), request, asked,
                            silent, facts));
  return facts;
}

TEST(Estimate, OfDataflowIsALimitOfWhatItRuns) {
  for (int readers : {0, 1, 12}) {
    std::vector<ModelTest> tests = {ModelTest("W").sets(0, 1), ModelTest("C").adds(1, 1)};
    for (int i = 0; i < readers; ++i) {
      tests.push_back(ModelTest("R" + std::to_string(i)).expects_below(0, 5).adds(1, 1));
    }
    ModelRunner runner(tests), twin(tests);
    const EstimateFacts said = estimated_by_flow(runner, {{Algorithm::dataflow, 0}});
    const DetectFacts done = search_flow(twin, Algorithm::dataflow);
    ASSERT_EQ(said.searches.size(), 1u);
    const SearchEstimate& search = said.searches[0];
    EXPECT_TRUE(search.at_most);
    ASSERT_EQ(search.phases.size(), 3u);
    EXPECT_EQ(search.phases[1].kind, PhaseKind::collection);
    EXPECT_EQ(search.phases[1].orders, 1u);  // the passes of the model's collector
    EXPECT_EQ(search.phases[1].part, 0u);
    EXPECT_GE(search.orders(), done.search.orders);
    EXPECT_GE(search.tests(), done.search.tests_run);
    // Two orders and one alone for each reader, and few other writers: no wild guess.
    EXPECT_LE(search.phases[2].orders, 5u * static_cast<unsigned>(readers) * 14);
    EXPECT_TRUE(search.time());
  }
}

TEST(Estimate, WhereNothingCanBeCollectedTheOthersAreStillEstimated) {
  ModelRunner runner({ModelTest("A"), ModelTest("B")});
  DetectRequest request;
  Deadline deadline;
  SearchListener silent;
  EstimateFacts facts;
  ASSERT_TRUE(estimate_with(runner, deadline, runner.suite().default_order(), request,
                            {{Algorithm::dataflow, 0}, {Algorithm::isolation, 0}}, silent, facts));
  EXPECT_EQ(facts.searches.size(), 1u);
  EXPECT_EQ(facts.notices.size(), 1u);
  EXPECT_FALSE(estimate_with(runner, deadline, runner.suite().default_order(), request,
                             {{Algorithm::dataflow, 0}}, silent, facts));
}

TEST(Estimate, NothingIsKnownWhenNothingRuns) {
  ModelRunner runner({ModelTest("A"), ModelTest("B")});
  runner.stop_after(0);
  EstimateFacts said = estimated(runner, {Algorithm::pairs, 0});
  EXPECT_EQ(said.searches[0].phases[1].orders, 2u);
  EXPECT_FALSE(said.searches[0].time());
}

}  // namespace
}  // namespace gordian::detect_test
