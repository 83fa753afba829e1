// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Sources that go on where an earlier search stopped: nothing twice, nothing left out.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <set>

#include "tests/detect/samples.h"

namespace gordian::detect_test {
namespace {

using Make = std::function<std::unique_ptr<OrderSource>(const Suite&, const Knowledge&)>;

struct Named {
  const char* name;
  Make make;
};

class ContinuedSource : public testing::TestWithParam<Named> {
 protected:
  std::unique_ptr<OrderSource> source() { return GetParam().make(suite_, knowledge_); }

  Suite suite_ = numbered_suite(6);
  Knowledge knowledge_ = knowledge_of(suite_);
};

TEST_P(ContinuedSource, GoesOnBehindEveryMark) {
  const std::vector<Order> all = all_of(*source());
  ASSERT_FALSE(all.empty());
  for (std::size_t given = 0; given <= all.size(); ++given) {
    auto first = source(), second = source();
    std::vector<Order> seen;
    for (std::size_t i = 0; i < given; ++i) seen.push_back(*first->next());
    second->go_on_behind(first->mark());
    for (Order& order : all_of(*second)) seen.push_back(std::move(order));
    EXPECT_EQ(seen, all) << "after " << given << ", mark " << first->mark();
  }
}

TEST_P(ContinuedSource, HasNothingLeftBehindItsLastMark) {
  auto first = source(), second = source();
  all_of(*first);
  second->go_on_behind(first->mark());
  EXPECT_FALSE(second->next().has_value());
  EXPECT_EQ(second->mark(), first->mark());
}

TEST_P(ContinuedSource, BeginsAtTheBeginningIfTheMarkMakesNoSense) {
  const std::vector<Order> all = all_of(*source());
  for (const char* mark : {"", "x", "-1", "3/", "3/4711", "9999 1", "0 0 0", "77: 1 2"}) {
    auto one = source();
    one->go_on_behind(mark);
    EXPECT_EQ(all_of(*one), all) << mark;
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, ContinuedSource,
    testing::Values(
        Named{"isolation", [](const auto&, const auto& k) { return isolation_source(k); }},
        Named{"reversal", [](const auto&, const auto& k) { return reversal_source(k); }},
        Named{"self", [](const auto&, const auto& k) { return self_source(k); }},
        Named{"pairs", [](const auto&, const auto& k) { return pairs_source(k); }},
        Named{"random", [](const auto& s,
                           const auto& k) { return random_source(s, k, 7, 9, Shuffling::both); }},
        Named{"screen", [](const auto&, const auto& k) { return screen_source(k, 7, 2); }},
        Named{"exhaustive", [](const auto&, const auto& k) { return exhaustive_source(k, 3); }},
        Named{"aware", [](const auto&, const auto& k) { return aware_source(k, 3); }}),
    [](const auto& one) { return std::string(one.param.name); });

class Unsettled : public testing::Test {
 protected:
  Unsettled() {
    for (TestId test : knowledge_.tests()) {
      if (test != new_) knowledge_.set_settled(test);
    }
  }
  static bool holds(const Order& order, TestId test) {
    return std::find(order.begin(), order.end(), test) != order.end();
  }

  const TestId new_{2};
  Suite suite_ = numbered_suite(6);
  Knowledge knowledge_ = knowledge_of(suite_);
};

TEST_F(Unsettled, EveryTripleWithANewTestIsLeft) {
  for (bool aware : {false, true}) {
    auto make = [&] {
      return aware ? aware_source(knowledge_, 3) : exhaustive_source(knowledge_, 3);
    };
    auto all = make(), left = make();
    left->leave_out_settled();
    std::set<Order> wanted, seen;
    for (const Order& order : all_of(*all)) {
      if (order.size() < 3 || holds(order, new_)) wanted.insert(order);
    }
    for (const Order& order : all_of(*left)) EXPECT_TRUE(seen.insert(order).second);
    EXPECT_EQ(seen, wanted);
  }
}

TEST_F(Unsettled, PairsAreLeftOutOneByOne) {
  for (TestId first : knowledge_.tests()) {
    for (TestId second : knowledge_.tests()) {
      if (first != new_ && second != new_) knowledge_.take_over_pair(first, second);
    }
  }
  auto source = exhaustive_source(knowledge_, 2);
  const std::vector<Order> left = all_of(*source);
  EXPECT_EQ(left.size(), 10U);
  for (const Order& order : left) EXPECT_TRUE(holds(order, new_));
}

TEST_F(Unsettled, SelfAndScreenKeepToTheNewTest) {
  auto self = self_source(knowledge_);
  self->leave_out_settled();
  EXPECT_EQ(all_of(*self), (std::vector<Order>{{new_, new_}}));
  auto screen = screen_source(knowledge_, 1, 1);
  screen->leave_out_settled();
  const std::vector<Order> rows = all_of(*screen);
  ASSERT_EQ(rows.size(), 6U);
  for (const Order& row : rows) EXPECT_EQ(row.size(), row.front() == new_ ? 6U : 2U);
}

TEST(TakenOver, PairsCountAsCoveredAndChangesAreKnown) {
  const Suite suite = numbered_suite(3);
  Knowledge knowledge = knowledge_of(suite);
  const TestId a{0}, b{1};
  knowledge.take_over_pair(a, b);
  EXPECT_TRUE(knowledge.pair_covered(a, b));
  EXPECT_TRUE(knowledge.pair_taken_over(a, b));
  EXPECT_FALSE(knowledge.pair_covered(b, a));
  EXPECT_EQ(knowledge.covered_behind(a), (std::vector{false, true, false}));
  EXPECT_TRUE(knowledge.take_news().empty());  // stored already
  knowledge.take_over_change(a, b, outcome(OutcomeKind::fail, 3));
  EXPECT_EQ(knowledge.firsts_giving(b, outcome(OutcomeKind::fail, 3)), (std::vector{a}));
  knowledge.set_alone(a, outcome(OutcomeKind::pass));
  knowledge.take_news();
  knowledge.note_pair(b, a, outcome(OutcomeKind::pass));
  EXPECT_FALSE(knowledge.pair_taken_over(b, a));
  EXPECT_EQ(knowledge.take_news(), (std::vector{b}));
  EXPECT_TRUE(knowledge.take_news().empty());
}

}  // namespace
}  // namespace gordian::detect_test
