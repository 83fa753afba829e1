// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Numbers of dependences: they stay, whatever is found later.
#include "store/dependence_store.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "tests/store/store_fixture.h"

namespace gordian::store_test {
namespace {

/// A search of a numbered suite that found these tests to be victims of the one before them.
DetectFacts search_that_found(std::initializer_list<std::uint32_t> tests) {
  DetectFacts facts;
  facts.binary = plain_header().binary;
  facts.target = plain_header().target;
  facts.suite = numbered_suite(8);
  for (std::uint32_t number : tests) {
    Dependence found;
    found.test = TestId{number};
    found.by = {TestId{number - 1}};
    found.witness = {TestId{number - 1}, TestId{number}};
    found.alone.kind = found.expected.kind = OutcomeKind::pass;
    found.witnessed.kind = OutcomeKind::fail;
    facts.dependences.push_back(found);
  }
  return facts;
}

std::vector<DependenceId> ids_of(std::initializer_list<int> numbers) {
  std::vector<DependenceId> ids;
  for (int number : numbers) ids.push_back(DependenceId{number});
  return ids;
}

class Dependences : public StoreTest {
 protected:
  void SetUp() override {
    StoreTest::SetUp();
    open();
  }
  void open() {
    store_.reset();
    auto opened = DependenceStore::open(dir_ / "db");
    ASSERT_DONE(opened);
    store_.emplace(*std::move(opened));
  }
  /// The numbers given, in the order of the facts.
  std::vector<DependenceId> save(DetectFacts facts) {
    EXPECT_TRUE(store_->save(facts).ok());
    std::vector<DependenceId> ids;
    for (const Dependence& found : facts.dependences) ids.push_back(found.id);
    return ids;
  }

  std::optional<DependenceStore> store_;
};

TEST_F(Dependences, WhatIsFoundByTheWayJoinsTheLastSearch) {
  save(search_that_found({1, 3}));
  DetectFacts more = search_that_found({3, 5});
  more.dependences[0].cleaners = {TestId{7}};
  ASSERT_DONE(store_->add(more));
  EXPECT_EQ(more.dependences[0].id, DependenceId{2});
  EXPECT_EQ(more.dependences[1].id, DependenceId{3});
  auto last = store_->of_last_search(more.binary.path);
  ASSERT_DONE(last);
  EXPECT_EQ(*last, (ids_of({1, 2, 3})));
  auto loaded = store_->load(DependenceId{2});
  ASSERT_DONE(loaded);
  EXPECT_EQ(loaded->cleaners.size(), 1U) << "the newest facts count";
}

TEST_F(Dependences, WhatIsFoundByTheWayInAnotherBuildOrOtherTestsIsASearchOfItsOwn) {
  save(search_that_found({1}));
  DetectFacts rebuilt = search_that_found({3});
  rebuilt.binary.sha256 = "0ther";
  ASSERT_DONE(store_->add(rebuilt));
  EXPECT_EQ(*store_->of_last_search(), (ids_of({2})));
  DetectFacts others = search_that_found({5});
  others.binary.sha256 = "0ther";
  others.suite = numbered_suite(9);
  ASSERT_DONE(store_->add(others));
  EXPECT_EQ(*store_->of_last_search(), (ids_of({3})));
}

TEST_F(Dependences, NumbersCountUpFromOne) {
  EXPECT_EQ(save(search_that_found({1, 3})), (ids_of({1, 2})));
  EXPECT_EQ(save(search_that_found({5})), (ids_of({3})));
}

TEST_F(Dependences, FoundAgainMeansTheSameNumber) {
  save(search_that_found({1, 3}));
  open();
  EXPECT_EQ(save(search_that_found({3, 5, 1})), (ids_of({2, 3, 1})));
}

TEST_F(Dependences, NumbersAreNotGivenAwayWhenNothingIsFound) {
  save(search_that_found({1, 3}));
  EXPECT_TRUE(save(search_that_found({})).empty());
  EXPECT_EQ(save(search_that_found({7, 3})), (ids_of({3, 2})));
}

TEST_F(Dependences, ARebuiltBinaryKeepsItsNumbers) {
  save(search_that_found({1, 3}));
  DetectFacts rebuilt = search_that_found({3});
  rebuilt.binary.sha256 = "0ther";
  EXPECT_EQ(save(rebuilt), (ids_of({2})));
}

TEST_F(Dependences, AnotherBinaryHasItsOwn) {
  save(search_that_found({1}));
  DetectFacts other = search_that_found({1});
  other.binary.path = "/build/b_test";
  EXPECT_EQ(save(other), (ids_of({2})));
}

TEST_F(Dependences, WhatAReplayNeedsComesBack) {
  DetectFacts facts = search_that_found({3});
  facts.target.args = {"--x=1", ""};
  facts.target.env = {{"A", "b"}, {"C", std::nullopt}};
  facts.target.origin = "ctest: a_test";
  Dependence& found = facts.dependences[0];
  found.role = Role::self_dependent;
  found.witnessed.file = "a.cc";
  found.witnessed.line = 12;
  found.witnessed.message = "caf\xc3\xa9 \"quoted\"\n";
  found.alone.kind = OutcomeKind::crash;
  found.alone.signal = 11;
  save(facts);
  auto stored = store_->load(DependenceId{1});
  ASSERT_DONE(stored);
  EXPECT_EQ(stored->id, DependenceId{1});
  EXPECT_EQ(stored->test, "S.T3");
  EXPECT_EQ(stored->witness, (std::vector<std::string>{"S.T2", "S.T3"}));
  EXPECT_EQ(stored->role, Role::self_dependent);
  EXPECT_EQ(stored->target.args, facts.target.args);
  EXPECT_EQ(stored->target.env, facts.target.env);
  EXPECT_EQ(stored->target.working_dir, "/build");
  EXPECT_EQ(stored->target.origin, "ctest: a_test");
  EXPECT_TRUE(same_result(stored->witnessed, found.witnessed));
  EXPECT_EQ(stored->witnessed.message, found.witnessed.message);
  EXPECT_EQ(stored->alone.signal, 11);
  EXPECT_EQ(stored->expected.kind, OutcomeKind::pass);
}

TEST_F(Dependences, TheLatestSearchIsWhatIsReplayed) {
  save(search_that_found({3}));
  DetectFacts later = search_that_found({3});
  later.dependences[0].witness = {TestId{7}, TestId{3}};
  save(later);
  EXPECT_EQ(store_->load(DependenceId{1})->witness.front(), "S.T7");
}

TEST_F(Dependences, KnowTheBuildInWhichTheyWereFoundLast) {
  DetectFacts facts = search_that_found({3});
  facts.binary.sha256 = "feed";
  facts.binary.build_id = "b01d";
  save(facts);
  EXPECT_EQ(store_->load(DependenceId{1})->sha256, "feed");
  facts.binary.sha256 = "beef";
  save(facts);
  EXPECT_EQ(store_->load(DependenceId{1})->sha256, "beef");
  EXPECT_EQ(store_->load(DependenceId{1})->build_id, "b01d");
}

TEST_F(Dependences, OfTheLastSearchAreItsOwnOnly) {
  EXPECT_EQ(store_->of_last_search().error().kind, ErrorKind::usage);
  save(search_that_found({1, 3}));
  save(search_that_found({5, 3}));
  EXPECT_EQ(*store_->of_last_search(), (ids_of({2, 3})));
  save(search_that_found({}));
  EXPECT_TRUE(store_->of_last_search()->empty());
}

TEST_F(Dependences, OfTheLastSearchOfABinary) {
  save(search_that_found({1, 3}));
  DetectFacts other = search_that_found({4});
  const std::string path = other.binary.path;
  other.binary.path = "/other";
  save(other);
  EXPECT_EQ(*store_->of_last_search(path), (ids_of({1, 2})));
  EXPECT_EQ(*store_->of_last_search("/other"), (ids_of({3})));
  EXPECT_EQ(store_->of_last_search("/none").error().kind, ErrorKind::usage);
}

TEST_F(Dependences, KeepWhoElseTakesPart) {
  DetectFacts facts = search_that_found({3});
  facts.dependences[0].singles = {TestId{1}, TestId{2}};
  facts.dependences[0].cleaners = {TestId{4}};
  save(facts);
  EXPECT_EQ(store_->load(DependenceId{1})->singles, (std::vector<std::string>{"S.T1", "S.T2"}));
  EXPECT_EQ(store_->load(DependenceId{1})->cleaners, std::vector<std::string>{"S.T4"});
}

TEST_F(Dependences, BytesThatAreNoTextDoNotStopUs) {
  DetectFacts facts = search_that_found({3});
  facts.dependences[0].witnessed.message = "\xff\xfe broken";
  ASSERT_EQ(save(facts), (ids_of({1})));
  EXPECT_NE(store_->load(DependenceId{1})->witnessed.message.find("broken"), std::string::npos);
}

TEST_F(Dependences, UnknownNumberIsTheUsersMistake) {
  const Error nothing_yet = store_->load(DependenceId{1}).error();
  EXPECT_EQ(nothing_yet.kind, ErrorKind::usage);
  EXPECT_NE(nothing_yet.hint.find("gordian detect"), std::string::npos);
  save(search_that_found({1, 3}));
  const Error unknown = store_->load(DependenceId{9}).error();
  EXPECT_EQ(unknown.kind, ErrorKind::usage);
  EXPECT_NE(unknown.message.find("D9"), std::string::npos);
  EXPECT_NE(unknown.hint.find("D2"), std::string::npos);
}

TEST_F(Dependences, DamagedFactsAreAnErrorWithItsNumber) {
  save(search_that_found({1}));
  auto database = Database::open(dir_ / "db", Database::Mode::existing);
  ASSERT_DONE(database);
  for (const char* facts : {"{", "{}", "[]", "{\"role\": 3}"}) {
    ASSERT_DONE(
        database->prepare("UPDATE dependences SET facts = ?1").bind(std::string(facts)).step());
    auto stored = store_->load(DependenceId{1});
    ASSERT_FALSE(stored.ok()) << facts;
    EXPECT_EQ(stored.error().kind, ErrorKind::internal);
    EXPECT_NE(stored.error().message.find("D1"), std::string::npos);
  }
}

TEST_F(Dependences, TheStoredSearchHasTheNumbersThatStay) {
  save(search_that_found({1, 3}));
  DetectFacts again = search_that_found({3});
  again.dependences[0].id = DependenceId{1};  // as a search counts while it goes on
  ASSERT_DONE(store_->save(again));
  auto database = Database::open(dir_ / "db", Database::Mode::existing);
  ASSERT_DONE(database);
  Statement newest = database->prepare(
      "SELECT json_extract(detail, '$.dependences[0].id') FROM searches ORDER BY id DESC LIMIT 1");
  ASSERT_TRUE(*newest.step());
  EXPECT_EQ(newest.integer(0), 2);
}

TEST_F(Dependences, ShareTheFileWithRuns) {
  save(search_that_found({1}));
  auto runs = RunStore::open(dir_ / "db");
  ASSERT_DONE(runs);
  ASSERT_DONE(runs->begin_run(plain_header(), numbered_suite(1), {TestId{0}}));
  EXPECT_TRUE(store_->load(DependenceId{1}).ok());
}

}  // namespace
}  // namespace gordian::store_test
