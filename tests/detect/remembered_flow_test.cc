// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "detect/remembered_flow.h"

#include <gtest/gtest.h>

#include "tests/detect/model_search.h"
#include "tests/model/scratch_dir.h"

namespace gordian::detect_test {
namespace {

class RememberedFlow : public ScratchDir {
 protected:
  void SetUp() override {
    auto opened = FlowStore::open(dir_ / "db");
    ASSERT_TRUE(opened) << opened.error().message;
    store_.emplace(std::move(*opened));
  }
  FlowMemory memory(std::string sha256 = "feed") {
    FlowMemory memory;
    memory.store = &*store_;
    memory.target.binary = "/b/t";
    memory.build.sha256 = std::move(sha256);
    memory.suite = runner_.suite();
    return memory;
  }
  std::unique_ptr<FlowCollector> collector(FlowMemory memory) {
    return remembering_collector(std::move(memory), [this] {
      ++opened_;
      return collector_of(runner_)();
    });
  }
  ModelRunner runner_{{ModelTest("W").sets(0, 1), ModelTest("R").expects(0, 1)}};
  std::optional<FlowStore> store_;
  int opened_ = 0;
};

TEST_F(RememberedFlow, IsCollectedOnceForABuildAndAnOrder) {
  const Order order = runner_.suite().default_order(), back(order.rbegin(), order.rend());
  auto first = collector(memory())->in_order(order);
  ASSERT_TRUE(first);
  auto second = collector(memory())->in_order(order);
  ASSERT_TRUE(second);
  EXPECT_EQ(opened_, 1);
  EXPECT_EQ(second->dependences.size(), first->dependences.size());
  EXPECT_EQ(second->dependences.at(0).writer, order[0]);
  ASSERT_TRUE(collector(memory())->in_order(back));
  ASSERT_TRUE(collector(memory())->alone(order));
  ASSERT_TRUE(collector(memory("beef"))->in_order(order));
  EXPECT_EQ(opened_, 4);
}

TEST_F(RememberedFlow, IsCollectedAgainWhenThatIsWanted) {
  const Order order = runner_.suite().default_order();
  FlowMemory again = memory();
  again.again = true;
  ASSERT_TRUE(collector(again)->in_order(order));
  ASSERT_TRUE(collector(again)->in_order(order));
  EXPECT_EQ(opened_, 2);
}

TEST_F(RememberedFlow, KeepsTheVerdictsOfASearch) {
  DetectFacts facts = search_model(runner_, Algorithm::dataflow, 2, [this](DetectRequest& request) {
    request.collector = [this] {
      return Result<std::unique_ptr<FlowCollector>>(collector(memory()));
    };
  });
  ASSERT_EQ(facts.flows.size(), 1U);
  ASSERT_TRUE(remember(memory(), facts.flows[0]));
  auto stored = remembered(memory(), runner_.suite().default_order());
  ASSERT_TRUE(stored);
  ASSERT_TRUE(stored->has_value());
  FlowFacts again = without_ignored((*stored)->flow, {}, {});
  apply((*stored)->refinement, again);
  EXPECT_EQ(again.count(FlowVerdict::manifest), 1U);
  EXPECT_EQ(again.tested.at(0).schedule, facts.flows[0].tested.at(0).schedule);
}

TEST_F(RememberedFlow, WhatCannotBeCollectedIsAnError) {
  auto broken = remembering_collector(
      memory(), [] { return Result<std::unique_ptr<FlowCollector>>(target_error("no way")); });
  auto flow = broken->in_order(runner_.suite().default_order());
  ASSERT_FALSE(flow);
  EXPECT_EQ(flow.error().message, "no way");
}

}  // namespace
}  // namespace gordian::detect_test
