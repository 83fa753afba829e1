// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <gtest/gtest.h>

#include "detect/journal.h"
#include "store/search_store.h"
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

// What a refinement leaves for the search that continues it, and that search itself.

FlowFacts some_facts() {
  FlowFacts facts;
  for (std::uint32_t i = 0; i < 8; ++i) facts.flow.order.emplace_back(i);
  for (std::uint32_t i = 1; i < 8; ++i) {
    facts.flow.dependences.push_back({TestId{i}, TestId{i - 1}, {}, {}, {}});
    facts.tested.push_back(
        {i % 3 == 0 ? FlowVerdict::manifest : FlowVerdict::not_manifest, {}, {}, {}});
  }
  facts.schedules = 12;
  facts.tests_run = 340;
  return facts;
}

TEST(RefiningMark, ComesBackAsItWas) {
  const FlowFacts facts = some_facts();
  const RefiningMark mark = RefiningMark::of(facts, 17);
  const auto read = RefiningMark::parse(mark.text(), facts);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->harmless, (std::vector{true, true, false, true, true, false, true}));
  EXPECT_EQ(read->schedules, 12U);
  EXPECT_EQ(read->tests_run, 340U);
  EXPECT_EQ(read->other_writers, 17U);
}

TEST(RefiningMark, OfOtherDependencesSaysNothing) {
  FlowFacts facts = some_facts();
  const std::string text = RefiningMark::of(facts, 0).text();
  facts.flow.dependences.back().writer = TestId{0};
  EXPECT_FALSE(RefiningMark::parse(text, facts));
}

TEST(RefiningMark, OfNonsenseIsNone) {
  const FlowFacts facts = some_facts();
  const std::string text = RefiningMark::of(facts, 0).text();
  for (const std::string& bad : {std::string(), std::string("7"), text.substr(0, text.size() - 1),
                                 text + "0", text.substr(0, text.size() - 1) + "x"}) {
    EXPECT_FALSE(RefiningMark::parse(bad, facts)) << bad;
  }
}

/// Counters that nobody checks, and one dependence that counts.
ModelRunner counters() {
  std::vector<ModelTest> tests;
  for (int i = 0; i < 30; ++i) tests.push_back(ModelTest("T" + std::to_string(i)).adds(0, 1));
  tests.push_back(ModelTest("Sets").sets(1, 1));
  tests.push_back(ModelTest("Reads").expects(1, 1));
  return ModelRunner(std::move(tests));
}

class ContinuedDataflow : public ScratchDir {
 protected:
  DetectFacts search(ModelRunner& runner) {
    auto store = SearchStore::open(dir_ / "db");
    EXPECT_TRUE(store) << store.error().message;
    DetectRequest request;
    request.algorithm = Algorithm::dataflow;
    request.budget = std::chrono::milliseconds(0);
    request.collector = collector_of(runner);
    Memory memory;
    memory.store = &*store;
    memory.settings.target.binary = "/b/t";
    memory.build.sha256 = "feed";
    memory.hash_code = [&] {
      return CodeHashes{std::vector<std::string>(runner.suite().size()), {}};
    };
    memory.earlier = store->load(memory.settings).value();
    DetectFacts facts;
    facts.suite = runner.suite();
    SearchListener silent;
    Search search(request, runner, facts, silent);
    EXPECT_TRUE(search.begin(runner.suite().default_order()));
    EXPECT_TRUE(search.take_over(memory));
    EXPECT_TRUE(search.run_algorithm());
    EXPECT_TRUE(search.finish());
    return facts;
  }
};

TEST_F(ContinuedDataflow, DoesNotRunAgainWhatWasHarmless) {
  ModelRunner first = counters(), second = counters();
  const DetectFacts before = search(first), after = search(second);
  ASSERT_EQ(before.flows.size(), 1U);
  ASSERT_EQ(after.flows.size(), 1U);
  EXPECT_EQ(before.flows[0].count(FlowVerdict::not_manifest), 29U);
  for (FlowVerdict verdict : {FlowVerdict::manifest, FlowVerdict::not_manifest,
                              FlowVerdict::untestable, FlowVerdict::untested}) {
    EXPECT_EQ(after.flows[0].count(verdict), before.flows[0].count(verdict));
  }
  ASSERT_EQ(after.dependences.size(), 1U);
  EXPECT_EQ(after.dependences[0].test, second.id("Reads"));
  // Of 29 orders, and those of other writers, only what confirms is left.
  EXPECT_LT(second.log().size() + 29, first.log().size());
  EXPECT_GE(after.flows[0].schedules, before.flows[0].schedules);
}

}  // namespace

}  // namespace gordian::detect_test
