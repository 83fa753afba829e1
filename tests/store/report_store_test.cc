// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What a search told is there again when a report asks for it.
#include "store/report_store.h"

#include <gtest/gtest.h>

#include "store/dependence_store.h"
#include "store/explanation_store.h"
#include "store/facts_json.h"
#include "store/run_store.h"
#include "tests/store/store_fixture.h"

namespace gordian::store_test {
namespace {

Outcome outcome(OutcomeKind kind) {
  Outcome made;
  made.kind = kind;
  made.file = "s.cc";
  made.line = 7;
  made.message = "x | y";
  return made;
}

FlowFacts refined_flow() {
  FlowFacts facts;
  facts.flow.source = FlowSource::trace;
  facts.flow.order = {TestId{0}, TestId{1}};
  facts.flow.states = {{{CarrierKind::variable, "g"}, "int", "s.cc", 4}};
  facts.flow.tests = {{TestId{0}, {}, {StateId{0}}, ""}, {TestId{1}, {StateId{0}}, {}, ""}};
  facts.flow.dependences = {{TestId{1}, TestId{0}, {StateId{0}}, std::nullopt, std::nullopt}};
  facts.tested = {{FlowVerdict::manifest, "", TestId{1}, {TestId{1}}}};
  facts.ignored = {{{CarrierKind::file, "/x"}, "/x*", 1, 2, 3}};
  facts.backwards = true;
  facts.components = 1;
  return facts;
}

/// Every field that a search can fill.
DetectFacts full_search(const std::string& path = "/build/a_test") {
  DetectFacts facts;
  facts.binary = {path, "b01d", "5ac0ffee", 4096};
  facts.target = plain_header().target;
  facts.target.env = {{"A", "b"}, {"C", std::nullopt}};
  facts.suite = numbered_suite(4);
  facts.isolation = Isolation::snapshot;
  facts.private_fs = true;
  facts.search.algorithm = "auto";
  facts.search.orders = 17;
  facts.search.seed = ~std::uint64_t{0};
  facts.search.complete_k = 2;
  facts.search.unseen = {{{TestId{3}, TestId{0}}, "it vanished"}};
  facts.search.unseen_total = 9;
  facts.search.phases = {{PhaseKind::isolation, 4, 4, 1, std::chrono::nanoseconds(5), true, 9}};
  facts.search.resumed = {ResumedFrom::Kind::rebuilt, std::chrono::seconds(3), 4, 5, 6};
  facts.search.pruning.emplace();
  facts.search.pruning->misses = {"much"};
  Dependence found;
  found.test = TestId{2};
  found.by = {TestId{1}};
  found.witness = {TestId{1}, TestId{2}};
  found.expected = found.alone = outcome(OutcomeKind::pass);
  found.witnessed = outcome(OutcomeKind::fail);
  found.singles = {TestId{1}, TestId{3}};
  found.cleaners = {TestId{0}};
  found.found_by = "reversal";
  facts.dependences = {found};
  facts.nondeterministic = {
      {TestId{3}, 10, 2, {}, outcome(OutcomeKind::pass), outcome(OutcomeKind::fail)}};
  facts.declared = {
      {TestId{1}, {TestId{0}}, outcome(OutcomeKind::pass), outcome(OutcomeKind::skip), true}};
  facts.left_out = {{TestId{0}, "it hangs"}};
  facts.flows = {refined_flow()};
  facts.notices = {{Notice::Level::warning, "careful"}};
  facts.end = RunEnd::interrupted;
  return facts;
}

class Reports : public StoreTest {
 protected:
  void save(DetectFacts facts) {
    auto store = DependenceStore::open(dir_ / "db");
    ASSERT_DONE(store);
    ASSERT_DONE(store->save(facts));
  }
  Result<ReportFacts> load(const std::vector<std::string>& binaries = {}) {
    auto store = ReportStore::open(dir_ / "db");
    if (!store) return store.error();
    return store->load(binaries);
  }
};

TEST_F(Reports, ASearchComesBackAsItWas) {
  DetectFacts saved = full_search();
  save(saved);
  auto facts = load();
  ASSERT_DONE(facts);
  const DetectFacts& loaded = facts->suites.at(0).detect;
  saved.dependences[0].id = DependenceId{1};
  EXPECT_EQ(search_facts_json(loaded), search_facts_json(saved));
  EXPECT_EQ(loaded.binary.path, saved.binary.path);
  EXPECT_EQ(loaded.binary.sha256, saved.binary.sha256);
  EXPECT_EQ(loaded.suite.test(TestId{2}).full_name(), "S.T2");
  EXPECT_EQ(loaded.flows.at(0).flow.source, FlowSource::trace);
}

TEST_F(Reports, TheLastSearchOfEachBinaryCounts) {
  save(full_search("/build/b_test"));
  save(full_search("/build/a_test"));
  DetectFacts later = full_search("/build/b_test");
  later.search.orders = 99;
  save(later);
  auto facts = load();
  ASSERT_DONE(facts);
  ASSERT_EQ(facts->suites.size(), 2U);
  EXPECT_EQ(facts->suites[0].detect.binary.path, "/build/a_test");
  EXPECT_EQ(facts->suites[1].detect.search.orders, 99U);
}

TEST_F(Reports, OnlyTheBinariesAskedFor) {
  save(full_search("/build/a_test"));
  save(full_search("/build/b_test"));
  auto facts = load({"/build/b_test"});
  ASSERT_DONE(facts);
  EXPECT_EQ(facts->suites.size(), 1U);
  auto missing = load({"/build/c_test"});
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().kind, ErrorKind::usage);
}

TEST_F(Reports, AnExplanationOfAnotherBuildIsNotShown) {
  save(full_search());
  auto store = ExplanationStore::open(dir_ / "db");
  ASSERT_DONE(store);
  StoredExplanation explained;
  explained.sha256 = "0ther";
  explained.witness = {"S.T1", "S.T2"};
  ASSERT_DONE(store->save(DependenceId{1}, explained));
  EXPECT_FALSE(load()->suites.at(0).detect.dependences.at(0).explanation);
  explained.sha256 = "5ac0ffee";
  ASSERT_DONE(store->save(DependenceId{1}, explained));
  auto facts = load();
  ASSERT_DONE(facts);
  EXPECT_TRUE(facts->suites[0].detect.dependences[0].explanation);
}

TEST_F(Reports, DurationsComeFromTheNewestWholeRunOfEachIsolation) {
  save(full_search());
  auto store = RunStore::open(dir_ / "db");
  ASSERT_DONE(store);
  const Order order = {TestId{0}, TestId{1}};
  for (RunEnd end : {RunEnd::finished, RunEnd::finished, RunEnd::interrupted}) {
    auto run = store->begin_run(plain_header(), numbered_suite(4), order);
    ASSERT_DONE(run);
    ASSERT_DONE(store->add_results(*run, 0, passes(order, 0, 2)));
    ASSERT_DONE(store->finish_run(*run, end, std::chrono::nanoseconds(run->value())));
  }
  auto facts = load();
  ASSERT_DONE(facts);
  ASSERT_EQ(facts->suites.at(0).runs.size(), 1U);
  const ReportedRun& run = facts->suites[0].runs[0];
  EXPECT_EQ(run.id, RunId{2});
  ASSERT_EQ(run.tests.size(), 2U);
  EXPECT_EQ(run.tests[1].duration, std::chrono::nanoseconds(1001));
}

TEST_F(Reports, RunsInAnyOrderAreRemembered) {
  save(full_search());
  auto store = RunStore::open(dir_ / "db");
  ASSERT_DONE(store);
  const Order order = {TestId{1}, TestId{0}};
  for (const char* spec : {"default", "reverse"}) {
    RunHeader header = plain_header();
    header.order_spec = spec;
    auto run = store->begin_run(header, numbered_suite(4), order);
    ASSERT_DONE(run);
    auto results = passes(order, 0, 2);
    results[1].run.outcome.kind = OutcomeKind::crash;
    ASSERT_DONE(store->add_results(*run, 0, results));
    ASSERT_DONE(store->finish_run(*run, RunEnd::interrupted, std::chrono::nanoseconds(8)));
  }
  RunHeader other = plain_header();
  other.binary.sha256 = "another build";
  ASSERT_DONE(store->begin_run(other, numbered_suite(4), order));
  auto facts = load();
  ASSERT_DONE(facts);
  const std::vector<PastRun>& history = facts->suites.at(0).history;
  ASSERT_EQ(history.size(), 2U);
  EXPECT_EQ(history[0].order_spec, "reverse");
  EXPECT_EQ(history[0].end, RunEnd::interrupted);
  EXPECT_EQ(history[0].tests, 2U);
  EXPECT_EQ(history[0].failed, 1U);
  EXPECT_EQ(history[1].id, RunId{1});
}

TEST_F(Reports, NoDatabaseAndNoSearchAreUsageErrors) {
  auto none = load();
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(none.error().kind, ErrorKind::usage);
  EXPECT_FALSE(std::filesystem::exists(dir_ / "db"));  // asking makes no file
  ASSERT_DONE(RunStore::open(dir_ / "db"));
  EXPECT_EQ(load().error().kind, ErrorKind::usage);
}

}  // namespace
}  // namespace gordian::store_test
