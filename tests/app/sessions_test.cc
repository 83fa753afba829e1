// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What commands do, called without one: on a suite in memory, with a front end that only listens.
// Nothing of it may reach a terminal.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "app/detect_session.h"
#include "app/explain_session.h"
#include "app/ranking.h"
#include "app/replaying.h"
#include "app/run_session.h"
#include "app/shard_plan.h"
#include "store/run_store.h"
#include "tests/runtime/toy_runtime.h"
#include "tests/store/store_fixture.h"

namespace gordian {
namespace {

using detect_test::ModelTest;
using detect_test::ToyRuntime;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

/// Remembers what it was told.
class Listening : public FrontEnd {
 public:
  std::unique_ptr<RunObserver> run(const RunRequest&) override {
    return std::make_unique<Run>(*this);
  }
  std::unique_ptr<SearchListener> search() override { return std::make_unique<Search>(*this); }
  std::unique_ptr<StepListener> steps(StepWork work, const Suite&, std::size_t total) override {
    EXPECT_EQ(work, StepWork::explain);
    to_explain += total;
    return std::make_unique<Steps>(*this);
  }

  std::vector<std::string> finished, found;
  std::size_t to_explain = 0, explained = 0;

 private:
  struct Run : SilentRunObserver {
    explicit Run(Listening& owner) : listening(owner) {}
    Status run_begins(const RunFacts& facts, const Order&) override {
      suite = facts.suite;
      return {};
    }
    void test_finished(const TestRun& run) override {
      listening.finished.push_back(suite.test(run.test).name);
    }
    Listening& listening;
    Suite suite;
  };
  struct Search : SearchListener {
    explicit Search(Listening& owner) : listening(owner) {}
    void search_begins(const DetectFacts& facts) override { suite = facts.suite; }
    void found(const Dependence& dependence) override {
      listening.found.push_back(suite.test(dependence.test).name);
    }
    Listening& listening;
    Suite suite;
  };
  struct Steps : StepListener {
    explicit Steps(Listening& owner) : listening(owner) {}
    void done_one() override { ++listening.explained; }
    Listening& listening;
  };
};

class SessionsTest : public store_test::StoreTest {
 protected:
  void SetUp() override {
    StoreTest::SetUp();
    target_.binary = dir_ / "suite.toy";
    store_test::write_file(target_.binary, "");
    db_ = (dir_ / "db").string();
    ::testing::internal::CaptureStdout();
    ::testing::internal::CaptureStderr();
  }
  void TearDown() override {
    EXPECT_EQ(::testing::internal::GetCapturedStdout(), "");
    EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
    for (const char* name : {"GCOV_PREFIX", "LLVM_PROFILE_FILE"}) ::unsetenv(name);  // by ranking
    StoreTest::TearDown();
  }

  RunRequest run_request(std::vector<std::string> names = {}) const {
    RunRequest request;
    request.target = target_;
    request.isolation = Isolation::none;
    if (!names.empty()) request.exact_order = std::move(names);
    return request;
  }
  /// Searches, explains and stores. The victim is the only dependent test.
  DetectSession::Found detect() {
    DetectRequest request;
    request.engine.jobs = 1;
    auto session = DetectSession::open(request, db_, listening_);
    EXPECT_TRUE(session);
    auto found = session->search(target_, true);
    EXPECT_TRUE(found) << found.error().message;
    return std::move(*found);
  }

  const ToyRuntime runtime_{{ModelTest("Polluter").sets(0, 1), ModelTest("Other").sets(1, 1),
                             ModelTest("Victim").expects(0, 0), ModelTest("Clean")}};
  const AddedRuntime added_{runtime_};
  Target target_;
  std::string db_;
  Listening listening_;
};

std::vector<OutcomeKind> outcomes(const RunFacts& facts) {
  std::vector<OutcomeKind> kinds;
  for (const TestRun& run : facts.orders.front().runs) kinds.push_back(run.outcome.kind);
  return kinds;
}

TEST_F(SessionsTest, ARunIsToldStoredAndReturned) {
  auto session = RunSession::open(db_, listening_);
  ASSERT_TRUE(session);
  auto ran = session->run(run_request());
  ASSERT_TRUE(ran) << ran.error().message;
  EXPECT_TRUE(ran->stored);
  EXPECT_THAT(listening_.finished, ElementsAre("Polluter", "Other", "Victim", "Clean"));
  EXPECT_THAT(outcomes(*ran->facts), ElementsAre(OutcomeKind::pass, OutcomeKind::pass,
                                                 OutcomeKind::fail, OutcomeKind::pass));
  auto stored = load_stored_run("R1", db_);
  ASSERT_TRUE(stored) << stored.error().message;
  EXPECT_EQ(ran->facts->id, stored->id);
  EXPECT_THAT(compare_runs(*stored, *ran->facts), IsEmpty());
}

TEST_F(SessionsTest, AReplayIsComparedPlaceByPlace) {
  auto session = RunSession::open(db_, listening_);
  ASSERT_TRUE(session);
  ASSERT_TRUE(session->run(run_request({"S.Clean", "S.Victim"})));
  auto before = load_stored_run("R1", db_);
  ASSERT_TRUE(before);
  RunRequest again;
  ask_for_same(*before, again);
  EXPECT_THAT(*again.exact_order, ElementsAre("S.Clean", "S.Victim"));
  EXPECT_EQ(again.target.binary, target_.binary);
  auto other = session->run(run_request({"S.Polluter", "S.Victim"}));
  ASSERT_TRUE(other);
  const auto differences = compare_runs(*before, *other->facts);
  ASSERT_EQ(differences.size(), 1U);
  EXPECT_EQ(differences.front().test, "S.Victim");
  EXPECT_EQ(differences.front().was, OutcomeKind::pass);
  EXPECT_EQ(differences.front().is, OutcomeKind::fail);
}

TEST_F(SessionsTest, WithoutADatabaseNothingIsStored) {
  auto session = RunSession::open("", listening_);
  ASSERT_TRUE(session);
  auto ran = session->run(run_request());
  ASSERT_TRUE(ran);
  EXPECT_EQ(ran->facts->id, std::nullopt);
  EXPECT_FALSE(std::filesystem::exists(db_));
}

TEST_F(SessionsTest, WhatOthersNeedIsStoredButNeitherToldNorCounted) {
  auto session = RunSession::open(db_, listening_);
  ASSERT_TRUE(session);
  auto ran = session->run(run_request({"S.Other", "S.Victim"}), {"S.Other"});
  ASSERT_TRUE(ran);
  EXPECT_THAT(listening_.finished, ElementsAre("Victim"));
  EXPECT_EQ(ran->facts->orders.front().runs.size(), 1U);
  ASSERT_FALSE(ran->facts->notices.empty());
  EXPECT_THAT(ran->facts->notices.back().text, ::testing::HasSubstr("S.Other"));
  auto stored = load_stored_run("R1", db_);
  ASSERT_TRUE(stored);
  EXPECT_EQ(stored->orders.front().runs.size(), 2U);
}

TEST_F(SessionsTest, ASearchIsToldExplainedAndStored) {
  const DetectSession::Found found = detect();
  EXPECT_THAT(found.troubles, IsEmpty());
  EXPECT_THAT(listening_.found, ElementsAre("Victim"));
  ASSERT_EQ(found.facts.dependences.size(), 1U);
  EXPECT_EQ(found.facts.dependences.front().id, DependenceId{1});
  EXPECT_EQ(listening_.to_explain, 1U);
  EXPECT_EQ(listening_.explained, 1U);
  ASSERT_TRUE(found.facts.dependences.front().explanation);
  EXPECT_EQ(found.facts.dependences.front().explained().carriers.front().key.text(), "cell0");
}

TEST_F(SessionsTest, WhatASearchHasExplainedIsNotExplainedTwice) {
  detect();
  ExplainRequest request;
  request.options.proofs = 1;  // all that a toy needs
  ExplainSession session(request, db_, listening_);
  auto groups = session.load({});
  ASSERT_TRUE(groups);
  ASSERT_EQ(groups->size(), 1U);
  auto facts = session.explain(groups->front());
  ASSERT_TRUE(facts) << facts.error().message;
  ASSERT_EQ(facts->explained.size(), 1U);
  EXPECT_NE(facts->explained.front().explained().age, std::nullopt);
  EXPECT_EQ(listening_.explained, 1U);

  request.again = true;
  ExplainSession anew(request, db_, listening_);
  ASSERT_TRUE(anew.load({"D1"}));
  facts = anew.explain(groups->front());
  ASSERT_TRUE(facts);
  EXPECT_EQ(facts->explained.front().explained().age, std::nullopt);
  EXPECT_EQ(listening_.explained, 2U);
}

TEST_F(SessionsTest, AReportOfSearchesThatWereNotStoredIsMadeOfWhatTheyTold) {
  auto session = DetectSession::open({}, "", listening_);
  ASSERT_TRUE(session);
  auto found = session->search(target_, false);
  ASSERT_TRUE(found);
  EXPECT_FALSE(found->facts.dependences.front().explanation);
  std::vector<DetectSession::Found> all;
  all.push_back(std::move(*found));
  auto report = session->report(all);
  ASSERT_TRUE(report);
  ASSERT_EQ(report->suites.size(), 1U);
  EXPECT_EQ(report->suites.front().detect.dependences.size(), 1U);
  EXPECT_FALSE(std::filesystem::exists(db_));
}

TEST_F(SessionsTest, PartsOfASplitGiveEveryTestItsExpectedResult) {
  detect();
  ShardRequestOptions options;
  options.count = 2;
  options.db = db_;
  std::vector<std::string> passed_over;
  auto plan = plan_shards({target_}, options, passed_over);
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_EQ(plan->targets.front().known, 1U);
  auto session = RunSession::open("", listening_);
  ASSERT_TRUE(session);
  const ShardFacts& split = plan->targets.front();
  for (const ShardFacts::Part& part : split.shards) {
    for (const PartRun& one : runs_of_part(split, part, false)) {
      ASSERT_TRUE(session->run(run_request(one.order), one.extra));
    }
  }
  // In the default order the victim fails, so it must fail in its part, too.
  std::vector<std::string> failed;
  for (const RunFacts& run : session->runs()) {
    for (const TestRun& test : run.orders.front().runs) {
      if (is_failure(test.outcome.kind)) failed.push_back(run.suite.test(test.test).name);
    }
  }
  EXPECT_THAT(listening_.finished, UnorderedElementsAre("Polluter", "Other", "Victim", "Clean"));
  EXPECT_THAT(failed, ElementsAre("Victim"));
}

TEST_F(SessionsTest, AnOrderThatKeepsToWhatIsKnownChangesNothing) {
  detect();
  RankRequest request;
  request.db = db_;
  request.search.engine.jobs = 1;
  auto session = RankSession::open(target_, request, listening_);
  ASSERT_TRUE(session) << session.error().message;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    auto impact = impact_of_orders({{Technique::random, seed}}, true, *session);
    ASSERT_TRUE(impact) << impact.error().message;
    ASSERT_TRUE(impact->orders.front().checked);
    EXPECT_THAT(impact->orders.front().checked->changed, IsEmpty()) << seed;
  }
}

}  // namespace
}  // namespace gordian
