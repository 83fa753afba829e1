// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "app/known_dependences.h"

#include <gtest/gtest.h>

#include "store/dependence_store.h"
#include "store/search_store.h"
#include "tests/store/store_fixture.h"

namespace gordian {
namespace {

using store_test::numbered_suite;
using Kind = Constraint::Kind;

Order ids(std::initializer_list<std::uint32_t> numbers) {
  Order order;
  for (std::uint32_t n : numbers) order.push_back(TestId{n});
  return order;
}

Outcome outcome(OutcomeKind kind) {
  Outcome result;
  result.kind = kind;
  return result;
}

/// T3 fails after T0 and after T1, unless T2 is between.
Dependence known_victim() {
  Dependence d;
  d.test = TestId{3};
  d.by = ids({0});
  d.witness = ids({0, 3});
  d.singles = ids({0, 1});
  d.cleaners = ids({2});
  d.expected = d.alone = outcome(OutcomeKind::pass);
  d.witnessed = outcome(OutcomeKind::fail);
  return d;
}

/// T4 fails alone and passes after T1.
Dependence known_brittle() {
  Dependence d;
  d.role = Role::brittle;
  d.test = TestId{4};
  d.by = d.singles = ids({1});
  d.witness = ids({1, 4});
  d.alone = outcome(OutcomeKind::fail);
  d.expected = d.witnessed = outcome(OutcomeKind::pass);
  return d;
}

class Known : public store_test::StoreTest {
 protected:
  std::filesystem::path db() const { return dir_ / "db"; }

  void search_found(const BinaryIdentity& binary, std::vector<Dependence> list) {
    auto store = DependenceStore::open(db());
    ASSERT_DONE(store);
    DetectFacts facts;
    facts.binary = binary;
    facts.target = store_test::plain_header().target;
    facts.suite = numbered_suite(6);
    facts.dependences = std::move(list);
    ASSERT_DONE(store->save(facts));
  }

  /// A search of this build saw T5 before T3, with yet another result.
  void search_saw_a_third_result(const BinaryIdentity& binary) {
    auto store = SearchStore::open(db());
    ASSERT_DONE(store);
    SearchRecord record;
    record.build = {binary.sha256, binary.build_id, ""};
    const Suite suite = numbered_suite(6);
    for (const gordian::Test& test : suite.tests()) {
      record.tests.push_back({test.full_name(), "", {}, {}, std::vector<bool>(6), {}});
    }
    record.tests[3].changed_by = {{TestId{0}, outcome(OutcomeKind::fail)},
                                  {TestId{5}, outcome(OutcomeKind::crash)}};
    SearchSettings settings;
    settings.target = store_test::plain_header().target;
    ASSERT_DONE(store->begin(settings, record));
  }

  const BinaryIdentity here_ = store_test::plain_header().binary;
  const BinaryIdentity older_ = {here_.path, "01d", "01d5ha", 4000};
};

TEST_F(Known, AVictimAvoidsEveryPolluterUnlessACleanerIsBetween) {
  search_found(here_, {known_victim()});
  auto known = known_dependences(here_, numbered_suite(6), db());
  ASSERT_DONE(known);
  EXPECT_TRUE(known->searched);
  EXPECT_TRUE(known->notices.empty());
  ASSERT_EQ(known->constraints.all().size(), 1u);
  const Constraint& constraint = known->constraints.all()[0];
  EXPECT_EQ(constraint.test, TestId{3});
  EXPECT_EQ(constraint.kind, Kind::avoids);
  EXPECT_EQ(constraint.dependence, DependenceId{1});
  ASSERT_EQ(constraint.sequences.size(), 2u);
  EXPECT_EQ(constraint.sequences[0].tests, ids({0}));
  EXPECT_EQ(constraint.sequences[0].undone_by, ids({2}));
  EXPECT_EQ(constraint.sequences[1].tests, ids({1}));
}

TEST_F(Known, ABrittleTestNeedsItsSetter) {
  search_found(here_, {known_brittle()});
  auto known = known_dependences(here_, numbered_suite(6), db());
  ASSERT_DONE(known);
  ASSERT_EQ(known->constraints.all().size(), 1u);
  EXPECT_EQ(known->constraints.all()[0].kind, Kind::needs);
  EXPECT_EQ(known->constraints.all()[0].sequences[0].tests, ids({1}));
}

TEST_F(Known, APairWithAThirdResultIsAvoidedToo) {
  search_found(here_, {known_victim()});
  search_saw_a_third_result(here_);
  auto known = known_dependences(here_, numbered_suite(6), db());
  ASSERT_DONE(known);
  const auto& sequences = known->constraints.all().at(0).sequences;
  ASSERT_EQ(sequences.size(), 3u);
  EXPECT_EQ(sequences[2].tests, ids({5}));
}

TEST_F(Known, PairsOfAnotherBuildSayNothing) {
  search_found(here_, {known_victim()});
  search_saw_a_third_result(older_);
  auto known = known_dependences(here_, numbered_suite(6), db());
  ASSERT_DONE(known);
  EXPECT_EQ(known->constraints.all().at(0).sequences.size(), 2u);
}

TEST_F(Known, WhatOnlyAnotherBuildShowedIsRefusedWithTheNextStep) {
  search_found(older_, {known_victim()});
  auto known = known_dependences(here_, numbered_suite(6), db());
  ASSERT_FALSE(known);
  EXPECT_EQ(known.error().kind, ErrorKind::target);
  EXPECT_NE(known.error().hint.find("gordian detect /build/a_test"), std::string::npos);
}

TEST_F(Known, WhatWasNotFoundAgainIsLeftOutAndSaidSo) {
  search_found(older_, {known_victim(), known_brittle()});
  search_found(here_, {known_brittle()});
  auto known = known_dependences(here_, numbered_suite(6), db());
  ASSERT_DONE(known);
  ASSERT_EQ(known->list.size(), 1u);
  EXPECT_EQ(known->list[0].test, TestId{4});
  ASSERT_EQ(known->notices.size(), 1u);
  EXPECT_NE(known->notices[0].text.find("not again in this one: D1"), std::string::npos);
}

TEST_F(Known, TestsThatAreNotThereAreLeftOut) {
  search_found(here_, {known_victim(), known_brittle()});
  auto known = known_dependences(here_, numbered_suite(4), db());
  ASSERT_DONE(known);
  EXPECT_EQ(known->list.size(), 1u);
  ASSERT_EQ(known->notices.size(), 1u);
  EXPECT_NE(known->notices[0].text.find("D2"), std::string::npos);
}

TEST_F(Known, WithoutASearchOnlyWhatIsDeclaredCounts) {
  std::vector<gordian::Test> tests = numbered_suite(3).tests();
  tests[2].declared = {"S.T0"};
  auto known = known_dependences(here_, Suite(Framework::boost, "1", tests), db());
  ASSERT_DONE(known);
  EXPECT_FALSE(known->searched);
  EXPECT_FALSE(std::filesystem::exists(db()));
  ASSERT_EQ(known->notices.size(), 1u);
  EXPECT_NE(known->notices[0].text.find("never searched"), std::string::npos);
  ASSERT_EQ(known->constraints.all().size(), 1u);
  EXPECT_EQ(known->constraints.all()[0].kind, Kind::needs);
}

}  // namespace
}  // namespace gordian
