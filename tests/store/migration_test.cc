// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Old files stay readable.
#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <string>

#include "store/coverage_store.h"
#include "store/curve_store.h"
#include "store/dependence_store.h"
#include "store/explanation_store.h"
#include "store/fix_store.h"
#include "store/flow_store.h"
#include "store/open_file.h"
#include "store/report_store.h"
#include "store/schema.h"
#include "store/search_store.h"
#include "tests/store/frozen_versions.h"
#include "tests/store/store_fixture.h"

namespace gordian::store_test {
namespace {

class Migrations : public StoreTest {
 protected:
  void SetUp() override {
    StoreTest::SetUp();
    auto database = Database::open(dir_ / "db", Database::Mode::create);
    ASSERT_DONE(database);
    ASSERT_DONE(database->run_script(kFrozenVersion1));
    ASSERT_DONE(database->run_script(kContentOfVersion1));
  }
};

TEST_F(Migrations, FileOfVersion1IsRead) {
  auto store = RunStore::open(dir_ / "db");
  ASSERT_DONE(store);
  auto facts = store->load_run(RunId{5});
  ASSERT_DONE(facts);
  EXPECT_EQ(facts->header.order_spec, "reverse");
  EXPECT_EQ(facts->header.used, Isolation::none);
  EXPECT_EQ(facts->header.target.env[1].second, std::nullopt);
  EXPECT_EQ(facts->end, RunEnd::failed_fast);
  EXPECT_EQ(facts->suite.test(TestId{1}).value_param, "7");
  EXPECT_EQ(facts->orders.at(0).order, (Order{TestId{1}, TestId{0}}));
  const TestRun& crashed = facts->orders[0].runs[0];
  EXPECT_EQ(crashed.outcome.kind, OutcomeKind::crash);
  EXPECT_EQ(crashed.outcome.message, "boom");
  EXPECT_EQ(crashed.output, "out");
  EXPECT_EQ(crashed.stack.at(0).address, ~std::uint64_t{0});
  EXPECT_EQ(facts->notices.at(0).text, "careful");
}

TEST_F(Migrations, FileOfVersion1TakesNewRuns) {
  auto store = RunStore::open(dir_ / "db");
  ASSERT_DONE(store);
  auto run = store->begin_run(plain_header(), numbered_suite(1), {TestId{0}});
  ASSERT_DONE(run);
  EXPECT_EQ(*run, RunId{6});
}

TEST_F(Migrations, FileOfVersion1IsAtTheCurrentVersionOnceOpened) {
  auto database = open_database(dir_ / "db");
  ASSERT_DONE(database);
  EXPECT_EQ(*read_version(*database), schema_version());
}

/// A file as version 2 left it, with the runs of version 1 in it.
class MigrationsFrom2 : public Migrations {
 protected:
  void SetUp() override {
    Migrations::SetUp();
    auto database = Database::open(dir_ / "db", Database::Mode::existing);
    ASSERT_DONE(database);
    ASSERT_DONE(database->run_script(kFrozenVersion2));
    ASSERT_DONE(database->run_script(kContentOfVersion2));
  }
};

TEST_F(MigrationsFrom2, DependencesAreRead) {
  auto store = DependenceStore::open(dir_ / "db");
  ASSERT_DONE(store);
  auto stored = store->load(DependenceId{4});
  ASSERT_DONE(stored);
  EXPECT_EQ(stored->test, "S.B");
  EXPECT_EQ(stored->role, Role::brittle);
  EXPECT_EQ(stored->witness, (std::vector<std::string>{"S.A", "S.B"}));
  EXPECT_EQ(stored->alone.kind, OutcomeKind::crash);
  EXPECT_EQ(stored->alone.signal, 11);
  EXPECT_EQ(stored->target.args, std::vector<std::string>{"--x"});
  EXPECT_EQ(stored->target.env.at(1).second, std::nullopt);
}

TEST_F(MigrationsFrom2, RunsAreStillThereAndTheVersionIsCurrent) {
  auto store = RunStore::open(dir_ / "db");
  ASSERT_DONE(store);
  EXPECT_EQ(store->load_run(RunId{5})->notices.at(0).text, "careful");
  auto database = open_database(dir_ / "db");
  ASSERT_DONE(database);
  EXPECT_EQ(*read_version(*database), schema_version());
}

TEST_F(MigrationsFrom2, ADependenceFoundAgainKeepsItsNumber) {
  auto store = DependenceStore::open(dir_ / "db");
  ASSERT_DONE(store);
  DetectFacts facts;
  facts.binary.path = "/b/t";
  facts.suite =
      Suite(Framework::gtest, "1.12.1",
            {{"S", "B", "", 0, "", "", false, true}, {"S", "C", "", 0, "", "", false, true}});
  facts.dependences.resize(2);
  facts.dependences[1].test = TestId{1};
  ASSERT_DONE(store->save(facts));
  EXPECT_EQ(facts.dependences[0].id, DependenceId{4});
  EXPECT_GT(facts.dependences[1].id, DependenceId{4});
}

TEST_F(MigrationsFrom2, TakesTheStateOfASearch) {
  auto store = SearchStore::open(dir_ / "db");
  ASSERT_DONE(store);
  SearchSettings settings;
  settings.target.binary = "/b/t";
  auto none = store->load(settings);
  ASSERT_DONE(none);
  EXPECT_FALSE(none->has_value());
  ASSERT_DONE(store->begin(settings, SearchRecord{}));
  EXPECT_TRUE(store->load(settings)->has_value());
}

/// A file as version 3 left it.
class MigrationsFrom3 : public MigrationsFrom2 {
 protected:
  void SetUp() override {
    MigrationsFrom2::SetUp();
    auto database = Database::open(dir_ / "db", Database::Mode::existing);
    ASSERT_DONE(database);
    ASSERT_DONE(database->run_script(kFrozenVersion3));
    ASSERT_DONE(database->run_script(kContentOfVersion3));
  }
};

TEST_F(MigrationsFrom3, TheStateOfASearchIsRead) {
  auto store = SearchStore::open(dir_ / "db");
  ASSERT_DONE(store);
  SearchSettings settings;
  settings.target.binary = "/b/t";
  settings.target.working_dir = "/b";
  settings.target.args = {"--x"};
  settings.private_fs = true;
  settings.test_timeout_ms = 1000;
  auto loaded = store->load(settings);
  ASSERT_DONE(loaded);
  ASSERT_TRUE(loaded->has_value());
  const SearchRecord& record = (*loaded)->record;
  EXPECT_EQ(record.build, (SearchedBuild{"feed", "b01d", "lib"}));
  EXPECT_EQ(record.seed, 7U);
  EXPECT_EQ(record.updated_unix_ms, 1700000001000);
  ASSERT_EQ(record.tests.size(), 2U);
  EXPECT_EQ(record.tests[0].code_hash, "1:aa");
  EXPECT_EQ(record.tests[0].covered, (std::vector{false, true}));
  EXPECT_EQ(record.tests[1].changed_by.at(0).second.line, 9);
  EXPECT_EQ(record.phases.at({PhaseKind::isolation}), (PhaseRecord{"2/2", true}));
  EXPECT_EQ(record.left_out.at(0).why, "because");
}

TEST_F(Migrations, FileOfVersion1TakesDependences) {
  auto store = DependenceStore::open(dir_ / "db");
  ASSERT_DONE(store);
  DetectFacts facts;
  facts.suite = numbered_suite(1);
  facts.dependences.resize(1);
  ASSERT_DONE(store->save(facts));
  EXPECT_EQ(facts.dependences[0].id, DependenceId{1});
}

TEST_F(MigrationsFrom3, TakesAnExplanation) {
  auto store = ExplanationStore::open(dir_ / "db");
  ASSERT_DONE(store);
  EXPECT_FALSE(store->load(DependenceId{4})->has_value());
  ASSERT_DONE(store->save(DependenceId{4}, StoredExplanation{}));
  EXPECT_TRUE(store->load(DependenceId{4})->has_value());
  auto dependences = DependenceStore::open(dir_ / "db");
  ASSERT_DONE(dependences);
  EXPECT_EQ(dependences->load(DependenceId{4})->test, "S.B");
}

/// A file as version 4 left it.
class MigrationsFrom4 : public MigrationsFrom3 {
 protected:
  void SetUp() override {
    MigrationsFrom3::SetUp();
    auto database = Database::open(dir_ / "db", Database::Mode::existing);
    ASSERT_DONE(database);
    ASSERT_DONE(database->run_script(kFrozenVersion4));
    ASSERT_DONE(database->run_script(kContentOfVersion4));
  }
};

TEST_F(MigrationsFrom4, ExplanationsAreRead) {
  auto store = ExplanationStore::open(dir_ / "db");
  ASSERT_DONE(store);
  auto loaded = store->load(DependenceId{4});
  ASSERT_DONE(loaded);
  ASSERT_TRUE(loaded->has_value());
  EXPECT_TRUE((*loaded)->fits("feed", {"S.A", "S.B"}));
  const Explanation& explanation = (*loaded)->explanation;
  EXPECT_EQ(explanation.dependence, DependenceId{4});
  ASSERT_EQ(explanation.carriers.size(), 1U);
  const Carrier& carrier = explanation.carriers[0];
  EXPECT_EQ(carrier.key, StateKey(CarrierKind::environment, NameKey{"LANG"}));
  EXPECT_EQ(carrier.old_value, std::nullopt);
  EXPECT_EQ(carrier.new_value, "de");
  ASSERT_TRUE(carrier.write);
  EXPECT_FALSE(carrier.read);
  EXPECT_TRUE(carrier.write->times_capped);
  EXPECT_EQ(carrier.write->stack.at(0).address, ~std::uint64_t{0});
  EXPECT_EQ(carrier.write->stack.at(carrier.write->shown).line, 7);
}

/// A file as version 5 left it.
class MigrationsFrom5 : public MigrationsFrom4 {
 protected:
  void SetUp() override {
    MigrationsFrom4::SetUp();
    auto database = Database::open(dir_ / "db", Database::Mode::existing);
    ASSERT_DONE(database);
    ASSERT_DONE(database->run_script(kFrozenVersion5));
    ASSERT_DONE(database->run_script(kContentOfVersion5));
  }
};

TEST_F(MigrationsFrom5, DataFlowsAreRead) {
  auto store = FlowStore::open(dir_ / "db");
  ASSERT_DONE(store);
  FlowKey key;
  key.target.binary = "/b/t";
  key.source = FlowSource::trace;
  key.order = {TestId{0}, TestId{1}};
  auto loaded = store->load(key, {"feed", "b01d", "lib"}, numbered_suite(2));
  ASSERT_DONE(loaded);
  ASSERT_TRUE(loaded->has_value());
  const DataFlow& flow = (*loaded)->flow;
  EXPECT_EQ(flow.states.at(0).key.text(), "x");
  EXPECT_EQ(flow.tests.at(1).unsure, "it crashed");
  EXPECT_EQ(flow.dependences.at(0).states, std::vector{StateId{0}});
  EXPECT_EQ((*loaded)->refinement.tested.at(0).tested.verdict, FlowVerdict::manifest);
}

TEST_F(MigrationsFrom4, TakesADataFlow) {
  auto store = FlowStore::open(dir_ / "db");
  ASSERT_DONE(store);
  FlowKey key;
  ASSERT_DONE(store->save(key, {}, numbered_suite(1), DataFlow{}));
  EXPECT_TRUE(store->load(key, {}, numbered_suite(1))->has_value());
}

/// A file as version 6 left it.
class MigrationsFrom6 : public MigrationsFrom5 {
 protected:
  void SetUp() override {
    MigrationsFrom5::SetUp();
    auto database = Database::open(dir_ / "db", Database::Mode::existing);
    ASSERT_DONE(database);
    ASSERT_DONE(database->run_script(kFrozenVersion6));
    ASSERT_DONE(database->run_script(kContentOfVersion6));
  }
};

TEST_F(MigrationsFrom6, RepairsAreRead) {
  auto store = FixStore::open(dir_ / "db");
  ASSERT_DONE(store);
  auto loaded = store->load({"/b/t", "feed", "{}"});
  ASSERT_DONE(loaded);
  ASSERT_TRUE(loaded->has_value());
  const FixFacts& facts = (*loaded)->facts;
  EXPECT_EQ(facts.diff, "---\xff");
  EXPECT_EQ(facts.failing_before, 3);
  ASSERT_EQ(facts.repairs.size(), 1U);
  EXPECT_EQ(facts.repairs[0].dependence, DependenceId{4});
  EXPECT_EQ(accepted_attempt(facts.repairs[0])->patch.strategy, Strategy::restore);
  ASSERT_EQ(facts.files.size(), 2U);
  EXPECT_EQ(facts.files.at("/src/new.h").before, std::nullopt);
  EXPECT_EQ(facts.files.at("/src/new.h").after, std::string("\0\xff", 2));
  EXPECT_EQ(facts.files.at("/src/t.cc").before, "\xfe");
}

TEST_F(MigrationsFrom5, TakesARepair) {
  auto store = FixStore::open(dir_ / "db");
  ASSERT_DONE(store);
  FixFacts facts;
  facts.repairs.emplace_back().dependence = DependenceId{4};
  ASSERT_DONE(store->save({"/b/t", "feed", "{}"}, facts));
  EXPECT_TRUE(store->load({"/b/t", "feed", "{}"})->has_value());
}

/// A file as version 7 left it.
class MigrationsFrom7 : public MigrationsFrom6 {
 protected:
  void SetUp() override {
    MigrationsFrom6::SetUp();
    auto database = Database::open(dir_ / "db", Database::Mode::existing);
    ASSERT_DONE(database);
    ASSERT_DONE(database->run_script(kFrozenVersion7));
    ASSERT_DONE(database->run_script(kContentOfVersion7));
  }
};

TEST_F(MigrationsFrom7, CoverageIsRead) {
  auto store = CoverageStore::open(dir_ / "db");
  ASSERT_DONE(store);
  Target target;
  target.binary = "/b/t";
  auto loaded = store->load(target, {"feed", "b01d", "lib"}, numbered_suite(2), CoverageWay::alone);
  ASSERT_DONE(loaded);
  ASSERT_TRUE(loaded->has_value());
  const Coverage& coverage = (*loaded)->coverage;
  EXPECT_EQ(coverage.statements.units.at(2).file, "/b.h");
  EXPECT_EQ(coverage.statements.tests.at(0).count(), 2U);
  EXPECT_TRUE(coverage.statements.tests.at(1).has(1));
  EXPECT_EQ(coverage.functions.units.at(0).function, "f()");
  EXPECT_EQ(coverage.functions.tests.at(0).count(), 1U);
  EXPECT_EQ(coverage.notices, std::vector<std::string>{"much"});
}

TEST_F(MigrationsFrom6, TakesCoverage) {
  auto store = CoverageStore::open(dir_ / "db");
  ASSERT_DONE(store);
  ASSERT_DONE(store->save({}, {}, numbered_suite(0), Coverage{}));
  EXPECT_TRUE(store->load({}, {}, numbered_suite(0), CoverageWay::alone)->has_value());
}

TEST_F(MigrationsFrom2, SearchesOfThatTimeCannotBeReported) {
  auto store = ReportStore::open(dir_ / "db");
  ASSERT_DONE(store);
  auto facts = store->load();
  ASSERT_FALSE(facts.ok());
  EXPECT_EQ(facts.error().kind, ErrorKind::usage);
  EXPECT_NE(facts.error().message.find("older version"), std::string::npos);
}

/// A file as version 8 left it.
class MigrationsFrom8 : public MigrationsFrom7 {
 protected:
  void SetUp() override {
    MigrationsFrom7::SetUp();
    auto database = Database::open(dir_ / "db", Database::Mode::existing);
    ASSERT_DONE(database);
    ASSERT_DONE(database->run_script(kFrozenVersion8));
    ASSERT_DONE(database->run_script(kContentOfVersion8));
  }
};

TEST_F(MigrationsFrom8, SearchesCanBeReported) {
  auto store = ReportStore::open(dir_ / "db");
  ASSERT_DONE(store);
  auto facts = store->load();
  ASSERT_DONE(facts);
  ASSERT_EQ(facts->suites.size(), 1U);
  const DetectFacts& detect = facts->suites[0].detect;
  EXPECT_EQ(detect.suite.test(TestId{1}).full_name(), "S.B");
  EXPECT_EQ(detect.search.seed, ~std::uint64_t{0});
  EXPECT_EQ(detect.dependences.at(0).id, DependenceId{4});
  EXPECT_EQ(detect.dependences[0].alone.signal, 11);
  EXPECT_EQ(detect.left_out.at(0).why, "because");
  EXPECT_EQ(detect.notices.at(0).level, Notice::Level::warning);
  EXPECT_TRUE(detect.dependences[0].explanation);
}

TEST_F(MigrationsFrom8, TakesCurves) {
  auto store = CurveStore::open(dir_ / "db");
  ASSERT_DONE(store);
  const std::vector<ReportedCurve> curves = {{"T4", "statements", 1, {{1, 2}, 0, 0.75}}};
  ASSERT_DONE(store->save({"/b/t", "", "feed"}, curves));
  EXPECT_EQ(store->load({"/b/t", "", "feed"})->size(), 1U);
}

/// A file as version 9 left it.
class MigrationsFrom9 : public MigrationsFrom8 {
 protected:
  void SetUp() override {
    MigrationsFrom8::SetUp();
    auto database = Database::open(dir_ / "db", Database::Mode::existing);
    ASSERT_DONE(database);
    ASSERT_DONE(database->run_script(kFrozenVersion9));
    ASSERT_DONE(database->run_script(kContentOfVersion9));
  }
};

TEST_F(MigrationsFrom9, CurvesAreReported) {
  auto store = ReportStore::open(dir_ / "db");
  ASSERT_DONE(store);
  auto facts = store->load();
  ASSERT_DONE(facts);
  const std::vector<ReportedCurve>& curves = facts->suites.at(0).curves;
  ASSERT_EQ(curves.size(), 2U);
  EXPECT_EQ(curves[0].technique, "default");
  EXPECT_EQ(curves[1].technique, "T4 aware");
  EXPECT_EQ(curves[1].units, "statements");
  EXPECT_EQ(curves[1].seed, ~std::uint64_t{0});
  EXPECT_EQ(curves[1].curve.covered, (std::vector<std::size_t>{3, 4}));
  EXPECT_EQ(curves[1].curve.rate, 0.75);
}

/// As version 9 wrote the state of a search of 2,000 tests without a finding.
void add_large_state(Database& database) {
  ASSERT_DONE(database.run_script(
      "UPDATE state_tests SET covered = zeroblob(250);"
      "INSERT INTO state_tests WITH RECURSIVE n(v) AS (SELECT 2 UNION ALL SELECT v + 1 FROM n"
      " WHERE v < 1999) SELECT 2, v, 'S.' || v, '1:cc',"
      " '{\"alone\":{\"exit_code\":0,\"file\":\"\",\"in_tear_down\":false,\"kind\":\"pass\","
      "\"line\":0,\"message\":\"\",\"signal\":0},\"changed_by\":[],\"expected\":{\"exit_code\":0,"
      "\"file\":\"\",\"in_tear_down\":false,\"kind\":\"pass\",\"line\":0,\"message\":\"\","
      "\"signal\":0}}', zeroblob(250) FROM n;"
      "UPDATE state_tests SET covered = CAST(zeroblob(249) || x'80' AS BLOB) WHERE test_id = 7"));
}

SearchSettings settings_of_frozen() {
  SearchSettings settings;
  settings.target.binary = "/b/t";
  settings.target.working_dir = "/b";
  settings.target.args = {"--x"};
  settings.private_fs = true;
  settings.test_timeout_ms = 1000;
  return settings;
}

TEST_F(MigrationsFrom9, TheStateOfASearchIsReadAndGivesItsRoomBack) {
  {
    auto database = Database::open(dir_ / "db", Database::Mode::existing);
    ASSERT_DONE(database);
    ASSERT_NO_FATAL_FAILURE(add_large_state(*database));
  }
  const auto before = std::filesystem::file_size(dir_ / "db");
  {
    auto store = SearchStore::open(dir_ / "db");
    ASSERT_DONE(store);
    auto loaded = store->load(settings_of_frozen());
    ASSERT_DONE(loaded);
    ASSERT_TRUE(loaded->has_value());
    const std::vector<TestRecord>& tests = (*loaded)->record.tests;
    ASSERT_EQ(tests.size(), 2000U);
    EXPECT_EQ(tests[5].alone->kind, OutcomeKind::pass);
    EXPECT_EQ(tests[5].expected->kind, OutcomeKind::pass);
    EXPECT_EQ(tests[1].changed_by.at(0).second.line, 9);
    EXPECT_EQ(tests[5].covered, std::vector<bool>(2000));
    std::vector<bool> last(2000);
    last.back() = true;
    EXPECT_EQ(tests[7].covered, last);
  }
  EXPECT_LT(std::filesystem::file_size(dir_ / "db"), before / 2);
}

/// A file as version 10 left it.
class MigrationsFrom10 : public MigrationsFrom9 {
 protected:
  void SetUp() override {
    MigrationsFrom9::SetUp();
    auto database = Database::open(dir_ / "db", Database::Mode::existing);
    ASSERT_DONE(database);
    ASSERT_DONE(database->run_script(kFrozenVersion10));
    ASSERT_DONE(database->run_script(kContentOfVersion10));
  }
};

TEST_F(MigrationsFrom10, ShortFormsOfTheStateOfASearchAreRead) {
  auto store = SearchStore::open(dir_ / "db");
  ASSERT_DONE(store);
  auto loaded = store->load(settings_of_frozen());
  ASSERT_DONE(loaded);
  ASSERT_TRUE(loaded->has_value());
  const std::vector<TestRecord>& tests = (*loaded)->record.tests;
  ASSERT_EQ(tests.size(), 100U);
  EXPECT_EQ(runs_of(tests[0].covered), (IdRuns{{0, 1}, {99, 1}}));
  EXPECT_EQ(runs_of(tests[2].covered), (IdRuns{{1, 2}}));
  EXPECT_EQ(runs_of(tests[4].covered), IdRuns{});
  EXPECT_EQ(tests[2].alone->kind, OutcomeKind::pass);
  EXPECT_FALSE(tests[3].alone.has_value());
  EXPECT_EQ(tests[3].changed_by.at(0).first, TestId{2});
  EXPECT_EQ(tests[3].changed_by.at(0).second.kind, OutcomeKind::skip);
}

/// One of several dependences of its test: the others are to be found again.
TEST_F(MigrationsFrom10, AStateWithADependenceIsSearchedAgain) {
  {
    auto database = Database::open(dir_ / "db", Database::Mode::existing);
    ASSERT_DONE(database);
    ASSERT_DONE(database->run_script(kOneDependence));
  }
  auto store = SearchStore::open(dir_ / "db");
  ASSERT_DONE(store);
  auto loaded = store->load(settings_of_frozen());
  ASSERT_DONE(loaded);
  ASSERT_TRUE(loaded->has_value());
  const SearchRecord& record = (*loaded)->record;
  ASSERT_EQ(record.dependences.size(), 1U);
  EXPECT_TRUE(record.phases.empty());
  EXPECT_EQ(record.left_out.size(), 1U);
  for (const TestRecord& test : record.tests) EXPECT_EQ(runs_of(test.covered), IdRuns{});
  EXPECT_EQ(record.tests[3].changed_by.at(0).second.kind, OutcomeKind::skip);
}

/// A file as version 11 left it.
class MigrationsFrom11 : public MigrationsFrom10 {
 protected:
  void SetUp() override {
    MigrationsFrom10::SetUp();
    auto database = Database::open(dir_ / "db", Database::Mode::existing);
    ASSERT_DONE(database);
    ASSERT_DONE(database->run_script(kFrozenVersion11));
    ASSERT_DONE(database->run_script(kContentOfVersion11));
  }
};

TEST_F(MigrationsFrom11, SeveralDependencesOfOneTestAreRead) {
  auto store = SearchStore::open(dir_ / "db");
  ASSERT_DONE(store);
  auto loaded = store->load(settings_of_frozen());
  ASSERT_DONE(loaded);
  ASSERT_TRUE(loaded->has_value());
  const SearchRecord& record = (*loaded)->record;
  ASSERT_EQ(record.dependences.size(), 2U);
  EXPECT_EQ(record.dependences[0].role, Role::brittle);
  EXPECT_EQ(record.dependences[1].role, Role::victim);
  EXPECT_EQ(record.dependences[1].passes_after, Order{TestId{1}});
  EXPECT_EQ(record.dependences[1].witnessed.line, 8);
  EXPECT_EQ(record.phases.at({PhaseKind::isolation}), (PhaseRecord{"2/2", true}));
  EXPECT_EQ(runs_of(record.tests[2].covered), (IdRuns{{1, 2}}));
}

TEST_F(MigrationsFrom11, SearchesAreReportedWithoutTheirSecondCopy) {
  auto store = ReportStore::open(dir_ / "db");
  ASSERT_DONE(store);
  auto facts = store->load();
  ASSERT_DONE(facts);
  EXPECT_EQ(facts->suites.at(0).detect.dependences.at(0).test, TestId{1});
  auto database = open_database(dir_ / "db");
  ASSERT_DONE(database);
  EXPECT_FALSE(database->prepare("SELECT facts FROM searches").step().ok());
}

/// A file as version 12 left it.
class MigrationsFrom12 : public MigrationsFrom11 {
 protected:
  void SetUp() override {
    MigrationsFrom11::SetUp();
    auto database = Database::open(dir_ / "db", Database::Mode::existing);
    ASSERT_DONE(database);
    ASSERT_DONE(database->run_script(kFrozenVersion12));
    ASSERT_DONE(database->run_script(kContentOfVersion12));
  }
};

TEST_F(MigrationsFrom12, TakesASearch) {
  auto store = DependenceStore::open(dir_ / "db");
  ASSERT_DONE(store);
  DetectFacts facts;
  facts.suite = numbered_suite(1);
  facts.dependences.resize(1);
  ASSERT_DONE(store->save(facts));
}

TEST_F(MigrationsFrom12, WhatRunsASuiteIsToldByItsFramework) {
  auto store = RunStore::open(dir_ / "db");
  ASSERT_DONE(store);
  auto program = store->load_run(RunId{5}), build = store->load_run(RunId{90});
  ASSERT_DONE(program);
  EXPECT_EQ(&program->suite.runtime(), &kNativeRuntime);
  ASSERT_DONE(build);
  EXPECT_EQ(&build->suite.runtime(), &kProcessRuntime);
  EXPECT_EQ(build->header.target.runtime, &kProcessRuntime);
}

TEST_F(MigrationsFrom12, WhatNobodyReadsGoes) {
  auto store = FixStore::open(dir_ / "db");
  ASSERT_DONE(store);
  auto database = open_database(dir_ / "db");
  ASSERT_DONE(database);
  EXPECT_FALSE(database->prepare("SELECT verified FROM repairs").step().ok());
  EXPECT_FALSE(database->prepare("SELECT build_id FROM explanations").step().ok());
}

/// A file as version 13 left it.
class MigrationsFrom13 : public MigrationsFrom12 {
 protected:
  void SetUp() override {
    MigrationsFrom12::SetUp();
    auto database = Database::open(dir_ / "db", Database::Mode::existing);
    ASSERT_DONE(database);
    ASSERT_DONE(database->run_script(kFrozenVersion13));
    ASSERT_DONE(database->run_script("UPDATE suites SET runtime = 'later' WHERE id = 90"));
  }
};

TEST_F(MigrationsFrom13, OneThatALaterVersionRunsIsRefused) {
  auto store = RunStore::open(dir_ / "db");
  ASSERT_DONE(store);
  ASSERT_DONE(store->load_run(RunId{5}));
  auto build = store->load_run(RunId{90});
  ASSERT_FALSE(build.ok());
  EXPECT_NE(build.error().message.find("'later'"), std::string::npos) << build.error().message;
}

TEST_F(MigrationsFrom13, TakesAnExplanation) {
  auto store = ExplanationStore::open(dir_ / "db");
  ASSERT_DONE(store);
  ASSERT_TRUE(*store->load(DependenceId{4}));
  StoredExplanation explained;
  explained.sha256 = "beef";
  ASSERT_DONE(store->save(DependenceId{4}, explained));
  EXPECT_TRUE((*store->load(DependenceId{4}))->fits("beef", {}));
}

TEST_F(Migrations, VersionsCountWithoutAGap) {
  int expected = 0;
  for (const Migration& step : migrations()) EXPECT_EQ(step.version, ++expected);
  EXPECT_EQ(schema_version(), expected);
}

TEST_F(Migrations, LaterStepAddsATableAndKeepsTheRuns) {
  const std::array<Migration, 2> steps = {{
      {1, "THIS IS NOT RUN AGAIN"},
      {2,
       "PRAGMA user_version = 2;"
       "CREATE TABLE witnesses (id INTEGER PRIMARY KEY,"
       " order_id INTEGER NOT NULL REFERENCES orders (id)) STRICT;"
       "INSERT INTO witnesses VALUES (1, 1)"},
  }};
  auto database = Database::open(dir_ / "db", Database::Mode::existing);
  ASSERT_DONE(database);
  ASSERT_DONE(migrate(*database, steps));
  EXPECT_EQ(*read_version(*database), 2);
  EXPECT_EQ(*database->prepare("SELECT count(*) FROM runs, witnesses").first_integer(), 1);
}

TEST_F(Migrations, FailedStepLeavesTheOldVersion) {
  const std::array<Migration, 2> steps = {{
      {2, "PRAGMA user_version = 2; CREATE TABLE half (x)"},
      {3, "PRAGMA user_version = 3; CREATE TABLE runs (x)"},  // there is one already
  }};
  auto database = Database::open(dir_ / "db", Database::Mode::existing);
  ASSERT_DONE(database);
  EXPECT_FALSE(migrate(*database, steps).ok());
  EXPECT_EQ(*read_version(*database), 1);
  EXPECT_FALSE(database->prepare("SELECT * FROM half").step().ok());
}

TEST_F(Migrations, StepThatForgetsItsVersionIsCaught) {
  const std::array<Migration, 1> steps = {{{2, "CREATE TABLE extra (x)"}}};
  auto database = Database::open(dir_ / "db", Database::Mode::existing);
  ASSERT_DONE(database);
  EXPECT_FALSE(migrate(*database, steps).ok());
  EXPECT_FALSE(database->prepare("SELECT * FROM extra").step().ok());
}

}  // namespace
}  // namespace gordian::store_test
