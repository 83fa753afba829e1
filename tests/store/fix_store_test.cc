// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "store/fix_store.h"

#include <gtest/gtest.h>

#include "store/dependence_store.h"
#include "tests/store/store_fixture.h"

namespace gordian::store_test {
namespace {

/// A fix that says something in every field: D1 is repaired at the second try, D2 goes with it.
FixFacts full_fix() {
  FixFacts facts;
  facts.source_root = "/src";
  facts.build_command = "cmake --build b";
  facts.diff = "--- a/t.cc\n+caf\xe9\n";
  facts.commit_message = "Put x back\n\nBecause.";
  facts.failing_before = 2;
  facts.failing_after = 0;
  facts.random_orders = 20;
  facts.seconds = 12.5;
  facts.checks = {{CheckKind::default_order, true, 3, ""}};
  facts.files = {{"/src/guards.h", {std::nullopt, "// new\n"}},
                 {"/src/t.cc", {std::string("caf\xe9\0", 5), "after"}}};
  RepairAttempt failed;
  failed.patch.strategy = Strategy::own_reset;
  failed.verdict = RepairVerdict::not_built;
  failed.why = "t.cc:3: error: no member named reset";
  failed.build_seconds = 1.5;
  RepairAttempt good;
  good.patch = {Strategy::members, "--- a", "puts x back", "why", "msg", 2, 1, {"t.cc"}, true};
  good.verdict = RepairVerdict::verified;
  good.checks = {{CheckKind::alone, true, 3, ""},
                 {CheckKind::random_orders, false, 20, "S.T1 fails"}};
  good.check_seconds = 0.25;
  Repair first{
      DependenceId{1}, {failed, good}, {{Strategy::paper, "no initializer"}}, 1, kNoDependence, ""};
  Repair second{DependenceId{2}, {}, {}, std::nullopt, DependenceId{1}, ""};
  facts.repairs = {first, second};
  return facts;
}

class Fixes : public StoreTest {
 protected:
  void SetUp() override {
    StoreTest::SetUp();
    auto dependences = DependenceStore::open(dir_ / "db");
    ASSERT_DONE(dependences);
    DetectFacts facts;
    facts.binary = plain_header().binary;
    facts.suite = numbered_suite(3);
    facts.dependences.resize(3);
    for (std::uint32_t i = 0; i < 3; ++i) facts.dependences[i].test = TestId{i};
    ASSERT_DONE(dependences->save(facts));
    auto opened = FixStore::open(dir_ / "db");
    ASSERT_DONE(opened);
    store_.emplace(std::move(*opened));
  }

  const FixKey key_{"/build/a_test", "feed", R"({"ids": [1, 2]})"};
  std::optional<FixStore> store_;
};

TEST_F(Fixes, ComeBackWhole) {
  ASSERT_DONE(store_->save(key_, full_fix()));
  auto loaded = store_->load(key_);
  ASSERT_DONE(loaded);
  ASSERT_TRUE(loaded->has_value());
  EXPECT_LT((*loaded)->age.count(), 60);
  const FixFacts &facts = (*loaded)->facts, whole = full_fix();
  EXPECT_EQ(facts.source_root, whole.source_root);
  EXPECT_EQ(facts.build_command, whole.build_command);
  EXPECT_EQ(facts.diff, whole.diff);
  EXPECT_EQ(facts.commit_message, whole.commit_message);
  EXPECT_EQ(facts.failing_before, 2);
  EXPECT_EQ(facts.failing_after, 0);
  EXPECT_EQ(facts.random_orders, 20);
  EXPECT_EQ(facts.seconds, 12.5);
  ASSERT_EQ(facts.checks.size(), 1U);
  EXPECT_EQ(facts.checks[0].kind, CheckKind::default_order);
  ASSERT_EQ(facts.files.size(), 2U);
  for (const auto& [path, file] : whole.files) {
    ASSERT_TRUE(facts.files.contains(path)) << path;
    EXPECT_EQ(facts.files.at(path).before, file.before);
    EXPECT_EQ(facts.files.at(path).after, file.after);
  }
}

TEST_F(Fixes, KeepEveryAttempt) {
  ASSERT_DONE(store_->save(key_, full_fix()));
  const std::vector<Repair> repairs = (*store_->load(key_))->facts.repairs;
  ASSERT_EQ(repairs.size(), 2U);
  EXPECT_EQ(repairs[0].dependence, DependenceId{1});
  EXPECT_EQ(repairs[1].gone_by, DependenceId{1});
  ASSERT_EQ(repairs[0].attempts.size(), 2U);
  EXPECT_EQ(repairs[0].attempts[0].verdict, RepairVerdict::not_built);
  EXPECT_EQ(repairs[0].attempts[0].why, "t.cc:3: error: no member named reset");
  EXPECT_EQ(repairs[0].attempts[0].build_seconds, 1.5);
  EXPECT_EQ(repairs[0].accepted, 1U);
  const RepairAttempt& good = repairs[0].attempts[1];
  EXPECT_EQ(good.patch.strategy, Strategy::members);
  EXPECT_EQ(good.patch.summary, "puts x back");
  EXPECT_EQ(good.patch.reason, "why");
  EXPECT_EQ(good.patch.commit_message, "msg");
  EXPECT_EQ(good.patch.added, 2);
  EXPECT_EQ(good.patch.removed, 1);
  EXPECT_EQ(good.patch.files, std::vector<std::string>{"t.cc"});
  EXPECT_TRUE(good.patch.product_code);
  ASSERT_EQ(good.checks.size(), 2U);
  EXPECT_TRUE(good.checks[0].passed);
  EXPECT_EQ(good.checks[1].detail, "S.T1 fails");
  EXPECT_EQ(good.checks[1].runs, 20);
  ASSERT_EQ(repairs[0].inapplicable.size(), 1U);
  EXPECT_EQ(repairs[0].inapplicable[0].strategy, Strategy::paper);
}

TEST_F(Fixes, HoldForTheirBuildAndTheirQuestionOnly) {
  ASSERT_DONE(store_->save(key_, full_fix()));
  EXPECT_FALSE(store_->load({key_.binary_path, "beef", key_.settings})->has_value());
  EXPECT_FALSE(store_->load({key_.binary_path, key_.sha256, "{}"})->has_value());
  EXPECT_FALSE(store_->load({"/other", key_.sha256, key_.settings})->has_value());
}

TEST_F(Fixes, TheLastOneCounts) {
  ASSERT_DONE(store_->save(key_, full_fix()));
  FixFacts second;
  second.repairs.emplace_back().dependence = DependenceId{3};
  ASSERT_DONE(store_->save({key_.binary_path, "beef", key_.settings}, second));
  EXPECT_FALSE(store_->load(key_)->has_value());
  auto loaded = store_->load({key_.binary_path, "beef", key_.settings});
  ASSERT_DONE(loaded);
  ASSERT_EQ((*loaded)->facts.repairs.size(), 1U);
  EXPECT_EQ((*loaded)->facts.repairs[0].dependence, DependenceId{3});
  EXPECT_TRUE((*loaded)->facts.files.empty());
}

TEST_F(Fixes, OfADependenceThatIsNotThereAreNotStoredAtAll) {
  FixFacts facts = full_fix();
  facts.repairs[1].dependence = DependenceId{9};
  EXPECT_FALSE(store_->save(key_, facts).ok());
  EXPECT_FALSE(store_->load(key_)->has_value());
}

TEST_F(Fixes, EveryStrategyHasAWord) {
  FixFacts facts;
  Repair& repair = facts.repairs.emplace_back();
  repair.dependence = DependenceId{1};
  for (Strategy strategy : all_strategies()) repair.inapplicable.push_back({strategy, ""});
  ASSERT_DONE(store_->save(key_, facts));
  const auto back = (*store_->load(key_))->facts.repairs.at(0).inapplicable;
  ASSERT_EQ(back.size(), all_strategies().size());
  for (std::size_t i = 0; i < back.size(); ++i) EXPECT_EQ(back[i].strategy, all_strategies()[i]);
}

TEST_F(Fixes, DamagedOnesAreAnErrorWithTheNextStep) {
  ASSERT_DONE(store_->save(key_, full_fix()));
  auto database = Database::open(dir_ / "db", Database::Mode::existing);
  ASSERT_DONE(database);
  for (const char* facts :
       {"{", "{}", "[]",
        R"({"attempts": [], "inapplicable": [], "accepted": 3, "gone_by": "", "why_not": ""})"}) {
    ASSERT_DONE(database->prepare("UPDATE repairs SET facts = ?1").bind(std::string(facts)).step());
    auto loaded = store_->load(key_);
    ASSERT_FALSE(loaded.ok()) << facts;
    EXPECT_EQ(loaded.error().kind, ErrorKind::internal);
    EXPECT_NE(loaded.error().hint.find("--again"), std::string::npos);
  }
}

}  // namespace
}  // namespace gordian::store_test
