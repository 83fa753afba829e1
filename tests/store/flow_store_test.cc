// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "store/flow_store.h"

#include <gtest/gtest.h>

#include "tests/store/store_fixture.h"

namespace gordian::store_test {
namespace {

const SearchedBuild kBuild = {"feed", "b01d", "lib"};

FlowKey plain_key() {
  FlowKey key;
  key.target.binary = "/b/t";
  key.target.args = {"--x"};
  key.order = {TestId{1}, TestId{0}};
  return key;
}

/// A flow that says something in every field.
DataFlow full() {
  DataFlow flow;
  flow.order = plain_key().order;
  flow.states = {{{CarrierKind::heap, "*p \"x\""}, "int", "a.cc", 3},
                 {{CarrierKind::file, "/f"}, "", "", 0}};
  flow.tests = {{TestId{1}, {}, {StateId{0}, StateId{1}}, "it crashed"},
                {TestId{0}, {StateId{1}}, {}, ""}};
  flow.dependences = {{TestId{0},
                       TestId{1},
                       {StateId{1}},
                       std::nullopt,
                       Site{"S.T0", {{"f()", "a.cc", 3, "t", 7}}, 0, 2, true}}};
  flow.misses = {"what nobody sees"};
  flow.passes = 3;
  flow.seconds = 0.5;
  return flow;
}

class Flows : public StoreTest {
 protected:
  void SetUp() override {
    StoreTest::SetUp();
    auto opened = FlowStore::open(dir_ / "db");
    ASSERT_TRUE(opened) << opened.error().message;
    store_.emplace(std::move(*opened));
  }
  std::optional<StoredFlow> load(const FlowKey& key, const SearchedBuild& build = kBuild) {
    auto loaded = store_->load(key, build, suite_);
    EXPECT_TRUE(loaded) << loaded.error().message;
    return loaded ? *loaded : std::nullopt;
  }
  Suite suite_ = numbered_suite(2);
  std::optional<FlowStore> store_;
};

TEST_F(Flows, ComeBackAsTheyWere) {
  ASSERT_TRUE(store_->save(plain_key(), kBuild, suite_, full()));
  auto stored = load(plain_key());
  ASSERT_TRUE(stored);
  const DataFlow wanted = full();
  EXPECT_EQ(stored->flow.order, wanted.order);
  ASSERT_EQ(stored->flow.states.size(), 2U);
  EXPECT_EQ(stored->flow.states[0].key.kind(), CarrierKind::heap);
  EXPECT_EQ(stored->flow.states[0].key, wanted.states[0].key);
  EXPECT_EQ(stored->flow.states[0].line, 3);
  ASSERT_EQ(stored->flow.tests.size(), 2U);
  EXPECT_EQ(stored->flow.tests[0].writes, wanted.tests[0].writes);
  EXPECT_EQ(stored->flow.tests[0].unsure, "it crashed");
  ASSERT_EQ(stored->flow.dependences.size(), 1U);
  EXPECT_FALSE(stored->flow.dependences[0].write);
  ASSERT_TRUE(stored->flow.dependences[0].read);
  EXPECT_EQ(stored->flow.dependences[0].read->stack.at(0).line, 3);
  EXPECT_EQ(stored->flow.misses, wanted.misses);
  EXPECT_EQ(stored->flow.passes, 3U);
  EXPECT_TRUE(stored->refinement.tested.empty());
}

TEST_F(Flows, OfAnotherBuildOrOrderAreNotFound) {
  ASSERT_TRUE(store_->save(plain_key(), kBuild, suite_, full()));
  EXPECT_FALSE(load(plain_key(), {"beef", "b01d", "lib"}));
  EXPECT_FALSE(load(plain_key(), {"feed", "b01d", "other"}));
  FlowKey key = plain_key();
  std::swap(key.order[0], key.order[1]);
  EXPECT_FALSE(load(key));
  key = plain_key();
  key.alone = true;
  EXPECT_FALSE(load(key));
  key = plain_key();
  key.source = FlowSource::trace;
  EXPECT_FALSE(load(key));
  key = plain_key();
  key.target.args.clear();
  EXPECT_FALSE(load(key));
}

TEST_F(Flows, KeepWhatIsKnownOfTheirDependences) {
  ASSERT_TRUE(store_->save(plain_key(), kBuild, suite_, full()));
  FlowFacts facts;
  facts.flow = full();
  facts.tested = {{FlowVerdict::manifest, "", TestId{0}, {TestId{0}}}};
  facts.schedules = 4;
  facts.tests_run = 9;
  ASSERT_TRUE(store_->save(plain_key(), kBuild, suite_, record_of(facts)));
  auto stored = load(plain_key());
  ASSERT_TRUE(stored);
  FlowFacts again;
  again.flow = stored->flow;
  apply(stored->refinement, again);
  ASSERT_EQ(again.tested.size(), 1U);
  EXPECT_EQ(again.tested[0].verdict, FlowVerdict::manifest);
  EXPECT_EQ(again.tested[0].changed, TestId{0});
  EXPECT_EQ(again.tested[0].schedule, Order{TestId{0}});
  EXPECT_EQ(again.schedules, 4U);
  EXPECT_EQ(again.tests_run, 9U);
}

TEST_F(Flows, CollectedAgainKnowNothing) {
  ASSERT_TRUE(store_->save(plain_key(), kBuild, suite_, full()));
  RefinementRecord record;
  record.tested = {{TestId{0}, TestId{1}, {FlowVerdict::untestable, "because", {}, {}}}};
  ASSERT_TRUE(store_->save(plain_key(), kBuild, suite_, record));
  EXPECT_EQ(load(plain_key())->refinement.tested.at(0).tested.why, "because");
  ASSERT_TRUE(store_->save(plain_key(), kBuild, suite_, full()));
  EXPECT_TRUE(load(plain_key())->refinement.tested.empty());
}

TEST_F(Flows, DamageIsAnErrorThatSaysWhatToDo) {
  ASSERT_TRUE(store_->save(plain_key(), kBuild, suite_, full()));
  auto database = Database::open(dir_ / "db", Database::Mode::existing);
  ASSERT_TRUE(database);
  ASSERT_TRUE(database->run_script("UPDATE data_flows SET flow = '{\"order\": [7]}'"));
  auto loaded = store_->load(plain_key(), kBuild, suite_);
  ASSERT_FALSE(loaded);
  EXPECT_NE(loaded.error().hint.find("--again"), std::string::npos);
}

}  // namespace
}  // namespace gordian::store_test
