// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "store/explanation_store.h"

#include <gtest/gtest.h>

#include "state/kinds/state_kinds.h"
#include "store/dependence_store.h"
#include "tests/store/store_fixture.h"

namespace gordian::store_test {
namespace {

/// An explanation that says something in every field.
StoredExplanation full_explanation() {
  StoredExplanation stored;
  stored.sha256 = "feed";
  stored.witness = {"S.T0", "S.T1"};
  Explanation& e = stored.explanation;
  e.behind = {"S.T1"};
  e.proved = true;
  e.proofs = 3;
  e.changes = 12;
  e.why_not = "no";
  e.seconds = 0.25;
  Carrier carrier;
  carrier.key = {CarrierKind::heap, "*g_cache \"x\""};
  carrier.type = "std::map<int, int>";
  carrier.old_value = "";
  carrier.file = "a.cc";
  carrier.line = 9;
  carrier.proved = true;
  carrier.write = Site{"S.T0", {{"f()", "a.cc", 3, "a_test", 0xffffffffffffffff}}, 0, 17, true};
  carrier.read =
      Site{"S.T1", {{"g()", "b.cc", 4, "a_test", 1}, {"h()", "", 0, "", 2}}, 1, 1, false};
  e.carriers = {carrier, Carrier{}};
  return stored;
}

class Explanations : public StoreTest {
 protected:
  void SetUp() override {
    StoreTest::SetUp();
    auto dependences = DependenceStore::open(dir_ / "db");
    ASSERT_DONE(dependences);
    DetectFacts facts;
    facts.binary = plain_header().binary;
    facts.suite = numbered_suite(2);
    facts.dependences.resize(2);
    facts.dependences[1].test = TestId{1};
    ASSERT_DONE(dependences->save(facts));
    auto opened = ExplanationStore::open(dir_ / "db");
    ASSERT_DONE(opened);
    store_.emplace(std::move(*opened));
  }

  std::optional<ExplanationStore> store_;
};

TEST_F(Explanations, ComeBackWhole) {
  ASSERT_DONE(store_->save(DependenceId{1}, full_explanation()));
  auto loaded = store_->load(DependenceId{1});
  ASSERT_DONE(loaded);
  ASSERT_TRUE(loaded->has_value());
  const StoredExplanation& stored = **loaded;
  EXPECT_TRUE(stored.fits("feed", {"S.T0", "S.T1"}));
  EXPECT_TRUE(stored.with_sites);
  const Explanation& e = stored.explanation;
  EXPECT_LT(e.age.value().count(), 60);
  EXPECT_EQ(e.dependence, DependenceId{1});
  EXPECT_EQ(e.behind, std::vector<std::string>{"S.T1"});
  EXPECT_TRUE(e.proved);
  EXPECT_EQ(e.proofs, 3);
  EXPECT_EQ(e.changes, 12U);
  EXPECT_EQ(e.why_not, "no");
  EXPECT_EQ(e.seconds, 0.25);
  ASSERT_EQ(e.carriers.size(), 2U);
  const Carrier& carrier = e.carriers[0];
  EXPECT_EQ(carrier.key.kind(), CarrierKind::heap);
  EXPECT_EQ(carrier.key.text(), "*g_cache \"x\"");
  EXPECT_EQ(carrier.type, "std::map<int, int>");
  EXPECT_EQ(carrier.old_value, "");
  EXPECT_EQ(carrier.new_value, std::nullopt);
  EXPECT_EQ(carrier.file, "a.cc");
  EXPECT_EQ(carrier.line, 9);
  EXPECT_TRUE(carrier.proved);
  EXPECT_EQ(carrier.write->times, 17U);
  EXPECT_TRUE(carrier.write->times_capped);
  EXPECT_EQ(carrier.write->stack.at(0).address, 0xffffffffffffffff);
  EXPECT_EQ(carrier.read->test, "S.T1");
  EXPECT_EQ(carrier.read->shown, 1U);
  EXPECT_EQ(carrier.read->stack.at(1).function, "h()");
  EXPECT_FALSE(e.carriers[1].write);
}

TEST_F(Explanations, OfATimeBeforeTestsWereRunInFrontHaveNone) {
  ASSERT_DONE(store_->save(DependenceId{1}, full_explanation()));
  auto database = Database::open(dir_ / "db", Database::Mode::existing);
  ASSERT_DONE(database);
  ASSERT_DONE(
      database->prepare("UPDATE explanations SET facts = json_remove(facts, '$.behind')").step());
  auto loaded = store_->load(DependenceId{1});
  ASSERT_DONE(loaded);
  EXPECT_TRUE((*loaded)->explanation.behind.empty());
  EXPECT_EQ((*loaded)->explanation.proofs, 3);
}

TEST_F(Explanations, FitOnlyTheirBuildAndTheirWitness) {
  StoredExplanation stored = full_explanation();
  EXPECT_FALSE(stored.fits("beef", stored.witness));
  EXPECT_FALSE(stored.fits("feed", {"S.T1", "S.T0"}));
}

TEST_F(Explanations, TheLastOneCounts) {
  ASSERT_DONE(store_->save(DependenceId{1}, full_explanation()));
  StoredExplanation second = full_explanation();
  second.explanation.proofs = 9;
  second.with_sites = false;
  ASSERT_DONE(store_->save(DependenceId{1}, second));
  EXPECT_EQ((*store_->load(DependenceId{1}))->explanation.proofs, 9);
  EXPECT_FALSE((*store_->load(DependenceId{1}))->with_sites);
  EXPECT_FALSE(store_->load(DependenceId{2})->has_value());
}

TEST_F(Explanations, OfADependenceThatIsNotThereIsAnError) {
  EXPECT_FALSE(store_->save(DependenceId{7}, full_explanation()).ok());
  EXPECT_FALSE(store_->load(DependenceId{7})->has_value());
}

TEST_F(Explanations, EveryKindOfCarrierHasAWord) {
  StoredExplanation stored;
  for (const StateKindRow& row : state_kinds()) {
    stored.explanation.carriers.emplace_back().key = {row.kind, "any"};
  }
  ASSERT_DONE(store_->save(DependenceId{1}, stored));
  const auto back = (*store_->load(DependenceId{1}))->explanation.carriers;
  ASSERT_EQ(back.size(), stored.explanation.carriers.size());
  for (std::size_t i = 0; i < back.size(); ++i)
    EXPECT_EQ(static_cast<std::size_t>(back[i].key.kind()), i);
}

TEST_F(Explanations, DamagedOnesAreAnErrorWithTheNumberAndTheNextStep) {
  ASSERT_DONE(store_->save(DependenceId{1}, full_explanation()));
  auto database = Database::open(dir_ / "db", Database::Mode::existing);
  ASSERT_DONE(database);
  for (const char* facts : {"{", "{}", "[]", "{\"carriers\": [{\"kind\": \"soul\"}]}"}) {
    ASSERT_DONE(
        database->prepare("UPDATE explanations SET facts = ?1").bind(std::string(facts)).step());
    auto loaded = store_->load(DependenceId{1});
    ASSERT_FALSE(loaded.ok()) << facts;
    EXPECT_EQ(loaded.error().kind, ErrorKind::internal);
    EXPECT_NE(loaded.error().message.find("D1"), std::string::npos);
    EXPECT_NE(loaded.error().hint.find("--again"), std::string::npos);
  }
}

}  // namespace
}  // namespace gordian::store_test
