// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Orders whose results are lost: they are run again in fresh processes, and what is lost there too
// is never called done.
#include <gtest/gtest.h>

#include "tests/detect/continued_model.h"

namespace gordian::detect_test {
namespace {

using Shape = OrderRunner::Shape;

const std::vector<Algorithm> kBounded = {Algorithm::exhaustive, Algorithm::aware,
                                         Algorithm::automatic};

/// V fails behind P alone.
ModelRunner one_victim() {
  return ModelRunner(
      {ModelTest("V").expects(0, 0), ModelTest("P").sets(0, 1), ModelTest("A"), ModelTest("B")});
}

bool begins_with(const Order& order, const Order& prefix) {
  return order.size() >= prefix.size() && std::equal(prefix.begin(), prefix.end(), order.begin());
}

TEST(LostOrders, AreRunAgainInFreshProcesses) {
  ModelRunner runner = one_victim();
  runner.lose([](const Order&, bool fresh) { return !fresh; });
  Lab lab(runner, false, [] {});
  auto runs = lab.run(std::vector<Order>{order({1, 0}), order({2})}, Shape::tree);
  ASSERT_TRUE(runs);
  EXPECT_EQ((*runs)[0].runs[1].outcome.kind, OutcomeKind::fail);
  EXPECT_EQ((*runs)[1].runs[0].outcome.kind, OutcomeKind::pass);
  EXPECT_EQ(runner.fresh(), 2u);
  EXPECT_EQ(lab.orders(), 4u);
}

TEST(LostOrders, KeepTheirReason) {
  ModelRunner runner = one_victim();
  runner.lose([](const Order&, bool) { return true; });
  Lab lab(runner, false, [] {});
  auto runs = lab.run(std::vector<Order>{order({1, 0})}, Shape::flat);
  ASSERT_TRUE(runs);
  EXPECT_EQ((*runs)[0].runs[1].outcome.kind, OutcomeKind::lost);
  EXPECT_EQ((*runs)[0].runs[1].outcome.message, "it vanished");
}

/// Nobody ended the process, nobody wants an end: a test that did not run is lost.
TEST(LostOrders, WhatDidNotRunForNoReasonIsLost) {
  ModelRunner runner = one_victim();
  runner.stop_after(0);
  Lab lab(runner, false, [] {});
  auto runs = lab.run(std::vector<Order>{order({1, 0})}, Shape::flat);
  ASSERT_TRUE(runs);
  EXPECT_EQ((*runs)[0].runs[0].outcome.kind, OutcomeKind::lost);
  EXPECT_FALSE((*runs)[0].runs[0].outcome.message.empty());
  Lab stopped(
      runner, false, [] {}, [] { return true; });
  runs = stopped.run(std::vector<Order>{order({1, 0})}, Shape::flat);
  ASSERT_TRUE(runs);
  EXPECT_EQ((*runs)[0].runs[0].outcome.kind, OutcomeKind::not_run);
}

/// (`auto` has other orders that begin with the same pair.)
TEST(LostOrders, AreNotDone) {
  for (Algorithm algorithm : {Algorithm::exhaustive, Algorithm::aware}) {
    SCOPED_TRACE(to_string(algorithm));
    ModelRunner runner = one_victim();
    const Order lost = runner.order({"P", "V"});
    runner.lose([&](const Order& order, bool) { return begins_with(order, lost); });
    DetectFacts facts = search_model(runner, algorithm, 2);
    EXPECT_EQ(facts.search.complete_k, 1);
    EXPECT_LT(facts.search.pairs_covered, facts.search.pairs_total);
    ASSERT_FALSE(facts.search.unseen.empty());
    EXPECT_EQ(facts.search.unseen_total, facts.search.unseen.size());
    EXPECT_TRUE(std::any_of(facts.search.unseen.begin(), facts.search.unseen.end(),
                            [&](const UnseenOrder& unseen) {
                              return unseen.order == lost && unseen.why == "it vanished";
                            }));
  }
}

/// That A does alone is seen where it stands first of two.
TEST(LostOrders, OfOneTestAreMissedAtTheirLength) {
  ModelRunner runner = one_victim();
  runner.lose(
      [&](const Order& order, bool) { return order.back() == runner.id("A") && order.size() < 4; });
  EXPECT_EQ(search_model(runner, Algorithm::isolation).search.complete_k, 0);
  EXPECT_EQ(search_model(runner, Algorithm::exhaustive, 2).search.complete_k, 1);
}

TEST(LostOrders, ThatAreSeenInAFreshProcessAreDone) {
  for (Algorithm algorithm : kBounded) {
    ModelRunner runner = one_victim();
    runner.lose([](const Order&, bool fresh) { return !fresh; });
    DetectFacts facts = search_model(runner, algorithm, 2);
    EXPECT_GE(facts.search.complete_k, 2) << to_string(algorithm);
    EXPECT_TRUE(facts.search.unseen.empty()) << to_string(algorithm);
    ASSERT_EQ(facts.dependences.size(), 1u) << to_string(algorithm);
    EXPECT_EQ(facts.dependences[0].test, runner.id("V"));
  }
}

/// Seen once, and never again: neither a dependence nor nothing.
TEST(LostOrders, WhatCouldNotBeConfirmedIsLeftOpen) {
  ModelRunner runner = one_victim();
  int seen = 0;
  const Order suspect = runner.order({"P", "V"});
  runner.lose([&](const Order& order, bool) { return order == suspect && ++seen > 1; });
  DetectFacts facts = search_model(runner, Algorithm::exhaustive, 2);
  EXPECT_TRUE(facts.dependences.empty());
  EXPECT_TRUE(facts.nondeterministic.empty());
  EXPECT_EQ(facts.search.complete_k, 1);
  ASSERT_EQ(facts.search.unseen.size(), 1u);
  EXPECT_EQ(facts.search.unseen[0].order, suspect);
}

TEST(LostOrders, PhasesCountThem) {
  ModelRunner runner = one_victim();
  runner.lose([](const Order& order, bool) { return order.size() == 2; });
  DetectFacts facts = search_model(runner, Algorithm::exhaustive, 2);
  ASSERT_EQ(facts.search.phases.size(), 3u);
  EXPECT_EQ(facts.search.phases[1].lost, 0u);
  EXPECT_EQ(facts.search.phases[2].lost, 12u);
  EXPECT_EQ(facts.search.unseen_total, 12u);
}

using LostAndContinued = ContinuedModel;

TEST_F(LostAndContinued, TheNextSearchRunsThem) {
  ModelRunner losing = one_victim();
  const Order lost = losing.order({"P", "V"});
  losing.lose([&](const Order& order, bool) { return begins_with(order, lost); });
  EXPECT_EQ(search(losing, Algorithm::exhaustive).search.complete_k, 1);
  EXPECT_EQ(search(losing, Algorithm::exhaustive).search.complete_k, 1);
  ModelRunner runner = one_victim();
  const DetectFacts facts = search(runner, Algorithm::exhaustive);
  EXPECT_EQ(facts.search.complete_k, 2);
  ASSERT_EQ(facts.dependences.size(), 1u);
  EXPECT_EQ(facts.dependences[0].test, runner.id("V"));
}

}  // namespace
}  // namespace gordian::detect_test
