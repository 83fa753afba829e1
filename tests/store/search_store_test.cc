// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The state of a search: what comes back, what adds up, what is refused.
#include "store/search_store.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <optional>
#include <string>

#include "store/open_file.h"
#include "tests/store/store_fixture.h"

namespace gordian::store_test {
namespace {

constexpr std::size_t kTests = 9;  // more than a byte of pairs

Outcome failure(int line) {
  Outcome outcome;
  outcome.kind = OutcomeKind::fail;
  outcome.file = "s.cc";
  outcome.line = line;
  outcome.message = "Value of: x\n  Actual: \"3\"";
  return outcome;
}

SearchRecord empty_record() {
  SearchRecord record;
  record.build = {"5ac0ffee", "b01d", "libs"};
  record.seed = 0xfedcba9876543210;
  record.order_cost_ns = 400'000;
  for (std::size_t i = 0; i < kTests; ++i) {
    TestRecord test;
    test.name = fmt::format("S.T{}", i);
    test.code_hash = fmt::format("1:{}", i);
    test.expected = Outcome{};
    test.expected->kind = OutcomeKind::pass;
    test.covered.resize(kTests);
    record.tests.push_back(std::move(test));
  }
  return record;
}

Dependence some_dependence() {
  Dependence d;
  d.test = TestId{3};
  d.by = {TestId{1}, TestId{8}};
  d.witness = {TestId{1}, TestId{8}, TestId{3}};
  d.expected.kind = d.alone.kind = OutcomeKind::pass;
  d.witnessed = failure(12);
  d.witnessed.in_tear_down = true;
  d.confirmed = 3;
  d.singles = {TestId{2}};
  d.singles_complete = d.splits_suite = true;
  d.cleaners = {TestId{4}, TestId{5}};
  d.found_by = "reversal";
  return d;
}

class SearchStates : public StoreTest {
 protected:
  void SetUp() override {
    StoreTest::SetUp();
    auto opened = SearchStore::open(dir_ / "db");
    ASSERT_DONE(opened);
    store_.emplace(*std::move(opened));
    settings_.target = plain_header().target;
  }
  SearchStateId begin(const SearchRecord& record) {
    auto id = store_->begin(settings_, record);
    EXPECT_TRUE(id.ok());
    return *id;
  }
  SearchRecord load() {
    auto loaded = store_->load(settings_);
    EXPECT_TRUE(loaded.ok()) << loaded.error().message;
    EXPECT_TRUE(loaded->has_value());
    return (*loaded)->record;
  }
  /// A row in which `test` was run before `second`.
  static SearchUpdate covering(std::uint32_t test, std::uint32_t second) {
    SearchUpdate update;
    TestRecord row = empty_record().tests[test];
    row.covered[second] = true;
    update.tests.emplace_back(TestId{test}, row);
    return update;
  }
  void damage(const char* sql) {
    auto database = Database::open(dir_ / "db", Database::Mode::existing);
    ASSERT_DONE(database);
    ASSERT_DONE(database->run_script(sql));
  }

  SearchSettings settings_;
  std::optional<SearchStore> store_;
};

TEST_F(SearchStates, ThereIsNoneAtFirst) {
  auto loaded = store_->load(settings_);
  ASSERT_DONE(loaded);
  EXPECT_FALSE(loaded->has_value());
}

TEST_F(SearchStates, TestsAndPairsComeBack) {
  SearchRecord record = empty_record();
  record.tests[2].covered[8] = record.tests[2].covered[0] = true;
  record.tests[3].alone = failure(7);
  record.tests[3].changed_by = {{TestId{1}, failure(9)}, {TestId{2}, failure(9)}};
  begin(record);
  const SearchRecord back = load();
  EXPECT_EQ(back.build, record.build);
  EXPECT_EQ(back.seed, record.seed);
  EXPECT_EQ(back.order_cost_ns, 400'000);
  EXPECT_GT(back.updated_unix_ms, 0);
  ASSERT_EQ(back.tests.size(), kTests);
  EXPECT_EQ(back.tests[2].covered, record.tests[2].covered);
  EXPECT_EQ(back.tests[4].name, "S.T4");
  EXPECT_EQ(back.tests[4].code_hash, "1:4");
  EXPECT_EQ(back.tests[4].expected->kind, OutcomeKind::pass);
  EXPECT_FALSE(back.tests[4].alone.has_value());
  EXPECT_TRUE(same_result(*back.tests[3].alone, failure(7)));
  ASSERT_EQ(back.tests[3].changed_by.size(), 2U);
  EXPECT_EQ(back.tests[3].changed_by[1].first, TestId{2});
  EXPECT_TRUE(same_result(back.tests[3].changed_by[1].second, failure(9)));
}

/// What a search without a finding knows of its tests, with names and hashes as real ones have.
SearchRecord quiet_record(std::size_t tests) {
  SearchRecord record = empty_record();
  record.tests.clear();
  for (std::size_t i = 0; i < tests; ++i) {
    TestRecord test;
    test.name = fmt::format("Suite{:03}.test_number_{:04}", i / 100, i);
    test.code_hash = fmt::format("1:{:032x}", i);
    test.covered.resize(tests);
    record.tests.push_back(std::move(test));
  }
  return record;
}

TEST_F(SearchStates, ManyTestsTakeFewBytesEach) {
  constexpr std::size_t kMany = 2000;
  auto size = [this] {
    store_.emplace(*SearchStore::open(dir_ / "other"));  // the other file is closed and complete
    return std::filesystem::file_size(dir_ / "db");
  };
  auto again = [this] { store_.emplace(*SearchStore::open(dir_ / "db")); };
  const auto empty = size();
  again();
  SearchRecord record = quiet_record(kMany);
  const SearchStateId state = begin(record);
  SearchUpdate update;
  for (std::uint32_t i = 0; i < kMany; ++i) {
    TestRecord& test = record.tests[i];
    test.expected = test.alone = Outcome{};
    test.expected->kind = test.alone->kind = OutcomeKind::pass;
    test.covered[(i + 1) % kMany] = true;  // the default order
    update.tests.emplace_back(TestId{i}, test);
  }
  ASSERT_TRUE(*store_->update(state, update));
  EXPECT_LT((size() - empty) / kMany, 120U);
  again();
  for (auto& [id, test] : update.tests) test.covered.assign(kMany, true);
  ASSERT_TRUE(*store_->update(state, update));
  EXPECT_LT((size() - empty) / kMany, 120U) << "all pairs are one run for each test";
  again();
  EXPECT_EQ(load().tests[7].covered, std::vector<bool>(kMany, true));
}

TEST_F(SearchStates, FindingsComeBackWithAllTheyHold) {
  SearchRecord record = empty_record();
  record.phases = {{{PhaseKind::isolation}, {"9/9", true}},
                   {{PhaseKind::aware, "", 3}, {"0 4 2", false}}};
  record.dependences = {some_dependence()};
  record.nondeterministic = {{TestId{5}, 20, 3, {TestId{1}, TestId{5}}, failure(1), failure(2)}};
  record.left_out = {{TestId{6}, "it could not be run"}};
  begin(record);
  const SearchRecord back = load();
  EXPECT_EQ(back.phases, record.phases);
  const Dependence wanted = some_dependence(), found = back.dependences.at(0);
  EXPECT_EQ(found.test, wanted.test);
  EXPECT_EQ(found.by, wanted.by);
  EXPECT_EQ(found.witness, wanted.witness);
  EXPECT_EQ(found.singles, wanted.singles);
  EXPECT_EQ(found.cleaners, wanted.cleaners);
  EXPECT_TRUE(found.singles_complete);
  EXPECT_FALSE(found.cleaners_complete);
  EXPECT_TRUE(found.splits_suite);
  EXPECT_EQ(found.confirmed, 3);
  EXPECT_EQ(found.found_by, "reversal");
  EXPECT_TRUE(found.witnessed.in_tear_down);
  EXPECT_EQ(found.witnessed.message, wanted.witnessed.message);
  EXPECT_EQ(back.nondeterministic.at(0).order, (Order{TestId{1}, TestId{5}}));
  EXPECT_EQ(back.nondeterministic.at(0).differ, 3);
  EXPECT_EQ(back.left_out.at(0).why, "it could not be run");
}

TEST_F(SearchStates, NamesWhatChangesByItselfInThisBuild) {
  SearchRecord record = empty_record();
  record.dependences = {some_dependence()};
  record.nondeterministic = {{TestId{5}, 20, 3, {TestId{1}, TestId{5}}, failure(1), failure(2)},
                             {TestId{2}, 20, 3, {}, failure(1), failure(2)}};
  begin(record);
  BinaryIdentity binary;
  binary.path = settings_.target.binary.string();
  binary.sha256 = record.build.sha256;
  EXPECT_EQ(*store_->nondeterministic(binary), (std::vector<std::string>{"S.T2", "S.T5"}));
  binary.sha256 = "another build";
  EXPECT_TRUE(store_->nondeterministic(binary)->empty());
}

TEST_F(SearchStates, UpdatesAddUp) {
  const SearchStateId state = begin(empty_record());
  SearchUpdate update = covering(1, 4);
  update.seed = 5;
  update.phases[{PhaseKind::self}] = {"3/9", false};
  update.dependences = {some_dependence()};
  ASSERT_TRUE(*store_->update(state, update));
  // Another process, which knows nothing of that pair.
  auto other = SearchStore::open(dir_ / "db");
  ASSERT_DONE(other);
  ASSERT_TRUE(*other->update(state, covering(1, 7)));
  const SearchRecord back = load();
  EXPECT_TRUE(back.tests[1].covered[4]);
  EXPECT_TRUE(back.tests[1].covered[7]);
  EXPECT_FALSE(back.tests[1].covered[5]);
  EXPECT_EQ(back.phases.at({PhaseKind::self}), (PhaseRecord{"3/9", false}));
  EXPECT_EQ(back.dependences.size(), 1U);
}

TEST_F(SearchStates, ATestHasOneVerdictOnly) {
  const SearchStateId state = begin(empty_record());
  SearchUpdate update;
  update.dependences = {some_dependence()};
  ASSERT_TRUE(*store_->update(state, update));
  SearchUpdate later;
  later.nondeterministic = {{TestId{3}, 20, 3, {}, failure(1), failure(2)}};
  ASSERT_TRUE(*store_->update(state, later));
  EXPECT_TRUE(load().dependences.empty());
  EXPECT_EQ(load().nondeterministic.size(), 1U);
}

TEST_F(SearchStates, ATestHasAsManyDependencesAsWereFound) {
  const SearchStateId state = begin(empty_record());
  SearchUpdate update;
  update.dependences = {some_dependence(), some_dependence()};
  update.dependences[1].role = Role::brittle;
  for (int i = 0; i < 2; ++i) ASSERT_TRUE(*store_->update(state, update));
  ASSERT_EQ(load().dependences.size(), 2U);
  EXPECT_EQ(load().dependences[0].role, Role::victim);
  EXPECT_EQ(load().dependences[1].role, Role::brittle);
  update.dependences.pop_back();  // taken back
  ASSERT_TRUE(*store_->update(state, update));
  EXPECT_EQ(load().dependences.size(), 1U);
}

/// One process ends with a dependence, another one goes on without and is killed: the pairs of the
/// first are covered, so what it has found must be there too.
TEST_F(SearchStates, WhatAnotherProcessHasFoundStays) {
  SearchRecord record = empty_record();
  record.left_out = {{TestId{0}, "because"}};
  const SearchStateId state = begin(record);
  auto other = SearchStore::open(dir_ / "db");
  ASSERT_DONE(other);
  SearchUpdate update;
  update.dependences = {some_dependence()};
  ASSERT_TRUE(*store_->update(state, update));
  SearchUpdate behind;
  behind.dependences = {some_dependence()};
  behind.dependences[0].test = TestId{5};
  for (int i = 0; i < 2; ++i) ASSERT_TRUE(*other->update(state, behind));
  EXPECT_EQ(load().dependences.size(), 2U);
  EXPECT_EQ(load().left_out.size(), 1U);
  behind.dependences.clear();
  behind.nondeterministic = {{TestId{3}, 20, 3, {}, failure(1), failure(2)}};
  ASSERT_TRUE(*other->update(state, behind));
  EXPECT_TRUE(load().dependences.empty()) << "it was seen to waver";
}

/// What was loaded is what the search goes on with, and replaces.
TEST_F(SearchStates, AContinuedSearchReplacesWhatItHasTakenOver) {
  SearchRecord record = empty_record();
  record.dependences = {some_dependence()};
  begin(record);
  auto other = SearchStore::open(dir_ / "db");
  ASSERT_DONE(other);
  auto loaded = other->load(settings_);
  ASSERT_DONE(loaded);
  SearchUpdate update;
  update.dependences = (*loaded)->record.dependences;
  update.dependences[0].witnessed = failure(99);
  ASSERT_TRUE(*other->update((*loaded)->id, update));
  ASSERT_EQ(load().dependences.size(), 1U);
  EXPECT_EQ(load().dependences[0].witnessed.line, 99);
}

TEST_F(SearchStates, ASearchBegunAnewReplacesTheOneBefore) {
  const SearchStateId first = begin(empty_record());
  ASSERT_TRUE(*store_->update(first, covering(1, 4)));
  begin(empty_record());
  EXPECT_FALSE(load().tests[1].covered[4]);
  // The first one is told, and cannot disturb the second.
  EXPECT_FALSE(*store_->update(first, covering(1, 4)));
  EXPECT_FALSE(load().tests[1].covered[4]);
}

TEST_F(SearchStates, OtherSettingsAreOtherSearches) {
  begin(empty_record());
  auto unknown = [this](auto change) {
    SearchSettings other = settings_;
    change(other);
    auto loaded = store_->load(other);
    return loaded.ok() && !loaded->has_value();
  };
  EXPECT_TRUE(unknown([](SearchSettings& s) { s.target.args = {"--seed=2"}; }));
  EXPECT_TRUE(unknown([](SearchSettings& s) { s.target.args = {"\xff"}; }));
  EXPECT_TRUE(unknown([](SearchSettings& s) { s.target.env = {{"A", "b"}}; }));
  EXPECT_TRUE(unknown([](SearchSettings& s) { s.target.working_dir = "/"; }));
  EXPECT_TRUE(unknown([](SearchSettings& s) { s.target.binary = "/build/b_test"; }));
  EXPECT_TRUE(unknown([](SearchSettings& s) { s.filter = "A.*"; }));
  EXPECT_TRUE(unknown([](SearchSettings& s) { s.isolation = Isolation::process; }));
  EXPECT_TRUE(unknown([](SearchSettings& s) { s.private_fs = true; }));
  EXPECT_TRUE(unknown([](SearchSettings& s) { s.private_dirs = {"/d"}; }));
  EXPECT_TRUE(unknown([](SearchSettings& s) { s.test_timeout_ms = 5; }));
  EXPECT_FALSE(unknown([](SearchSettings& s) { s.target.origin = "ctest: x"; }));
}

TEST_F(SearchStates, DamagedRowsAreRefusedWithTheWayOut) {
  for (const char* sql :
       {"UPDATE state_tests SET results = '{'", "UPDATE state_tests SET results = '{}'",
        "UPDATE state_tests SET covered = x'00' WHERE test_id = 1",
        "UPDATE state_tests SET covered = x'00ff' WHERE test_id = 1",  // a test that is not there
        "DELETE FROM state_tests WHERE test_id = 1", "UPDATE state_findings SET kind = 'rumour'",
        "UPDATE state_findings SET facts = '[]'",
        "UPDATE state_findings SET facts = replace(facts, '\"by\":[1,8]', '\"by\":[1,9]')",
        "UPDATE state_findings SET facts = replace(facts, '\"by\":[1,8]', '\"by\":[]')",
        "UPDATE state_findings SET facts = replace(facts, '\"victim\"', '\"thief\"')"}) {
    SearchRecord record = empty_record();
    record.dependences = {some_dependence()};
    begin(record);
    load();
    damage(sql);
    auto loaded = store_->load(settings_);
    ASSERT_FALSE(loaded.ok()) << sql;
    EXPECT_EQ(loaded.error().kind, ErrorKind::internal);
    EXPECT_NE(loaded.error().message.find("earlier search cannot be read"), std::string::npos);
    EXPECT_NE(loaded.error().hint.find("--full"), std::string::npos);
  }
  begin(empty_record());  // and it is one
  EXPECT_EQ(load().tests.size(), kTests);
}

TEST_F(SearchStates, ManyProcessesAddToOneStateAtOnce) {
  const SearchStateId state = begin(empty_record());
  std::vector<pid_t> children;
  for (std::uint32_t child = 0; child < 4; ++child) {
    children.push_back(in_child([&] {
      auto store = SearchStore::open(dir_ / "db");
      for (std::uint32_t second = child; store && second < kTests; second += 4) {
        for (std::uint32_t first = 0; first < kTests; ++first) {
          auto stored = store->update(state, covering(first, second));
          if (!stored || !*stored) return false;
        }
      }
      return store.ok();
    }));
  }
  for (pid_t child : children) EXPECT_EQ(wait_for(child), 0);
  for (const TestRecord& test : load().tests) {
    EXPECT_EQ(test.covered, std::vector<bool>(kTests, true));
  }
}

}  // namespace
}  // namespace gordian::store_test
