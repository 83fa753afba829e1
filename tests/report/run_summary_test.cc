// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "report/run_report.h"

#include <gtest/gtest.h>

#include "tests/report/golden.h"
#include "tests/report/sample_facts.h"

namespace gordian {
namespace {

using namespace testing_support;
using K = OutcomeKind;

TEST(RunSummary, AllKinds) {
  RunFacts facts = sample_run({K::pass, K::fail, K::skip, K::crash, K::timeout, K::exit, K::lost});
  facts.orders[0].runs[6].outcome.message = "the worker vanished";
  facts.notices = {{Notice::Level::warning, "process was asked for, fork is used: no agent"},
                   {Notice::Level::info, "2 tests are disabled"}};
  facts.header.requested = Isolation::process;
  expect_golden("summary_all_kinds.txt", scrub(run_summary(facts, {})));
}

TEST(RunSummary, CrashWithoutIsolationSaysWhatWasNotRunAndWhatToTry) {
  RunFacts facts = sample_run({K::pass, K::crash, K::not_run, K::not_run});
  facts.header.used = facts.header.requested = Isolation::none;
  facts.header.target.args = {"--data", "my dir"};
  expect_golden("summary_crash_none.txt", scrub(run_summary(facts, {})));
}

TEST(RunSummary, NoHintWhenNothingWasHarmed) {
  RunFacts last = sample_run({K::pass, K::crash});
  last.header.used = Isolation::none;
  EXPECT_FALSE(has(run_summary(last, {}), "Hint"));
  RunFacts forked = sample_run({K::crash, K::fail});
  EXPECT_FALSE(has(run_summary(forked, {}), "Hint"));
}

TEST(RunSummary, TestsThatSharedAProcessMayBeToBlame) {
  RunFacts facts = sample_run({K::pass, K::fail});
  EXPECT_FALSE(has(run_summary(facts, {}), "Next"));
  facts.header.used = Isolation::none;
  std::string text = run_summary(facts, {});
  EXPECT_TRUE(has(text, "     Next gordian detect ")) << text;
  facts.header.order_spec = "stored";  // a replay
  EXPECT_FALSE(has(run_summary(facts, {}), "Next"));
  EXPECT_FALSE(has(run_summary(sample_run({K::pass, K::pass}), {}), "Next"));
}

TEST(RunSummary, SlowTestsAreCountedWhenOneSaysWhatSlowIs) {
  RunFacts facts = sample_run({K::pass, K::pass, K::fail});
  for (TestRun& run : facts.orders[0].runs) run.duration = std::chrono::seconds(3);
  facts.orders[0].runs[0].duration = std::chrono::milliseconds(1);
  EXPECT_TRUE(has(run_summary(facts, {}), "2 passed, 1 failed"));
  const auto slow = std::chrono::seconds(1);
  EXPECT_TRUE(has(run_summary(facts, {}, slow), "2 passed (1 slow), 1 failed"));
  const std::vector<RunFacts> both = {facts, facts};
  EXPECT_TRUE(has(runs_total(both, {}, slow), "4 passed (2 slow), 2 failed"));
}

TEST(RunSummary, InterruptedRunsAreNotTheWholePicture) {
  RunFacts facts = sample_run({K::pass, K::not_run, K::not_run});
  facts.end = RunEnd::interrupted;
  std::string text = run_summary(facts, {});
  EXPECT_TRUE(has(text, "1 test run: 1 passed; 2 not run (the run was interrupted)")) << text;
  EXPECT_TRUE(has(text, "Stopped")) << text;
}

TEST(RunSummary, BothReasonsForNotRunningAreTold) {
  RunFacts facts = sample_run({K::crash, K::not_run, K::not_run});
  add_repeat(facts, {K::pass, K::not_run, K::not_run});
  facts.header.used = Isolation::none;
  facts.end = RunEnd::failed_fast;
  std::string text = run_summary(facts, {});
  EXPECT_TRUE(has(text,
                  "4 not run (2: an earlier test ended the process; "
                  "2: the run stopped at a failure)"))
      << text;
}

TEST(RunSummary, MissingPositionsCountAsNotRun) {
  RunFacts facts = sample_run({K::pass, K::pass, K::pass});
  facts.orders[0].runs.resize(1);
  facts.end = RunEnd::unfinished;
  EXPECT_TRUE(has(run_summary(facts, {}), "2 not run (the run did not finish)"));
}

TEST(RunSummary, RepeatsAndWhatDiffers) {
  RunFacts facts = sample_run({K::pass, K::fail, K::pass});
  add_repeat(facts, {K::pass, K::fail, K::pass});
  add_repeat(facts, {K::pass, K::fail, K::crash});
  expect_golden("summary_repeats.txt", scrub(run_summary(facts, {})));
}

TEST(RunSummary, UnstoredRunShowsItsCommandAndSeed) {
  RunFacts facts = sample_run({K::pass});
  facts.id.reset();
  facts.header.order_spec = "random";
  facts.header.command = "gordian run --order random ./cart_test";
  std::string text = run_summary(facts, {});
  EXPECT_TRUE(has(text, "not stored: order random, seed 42,")) << text;
  EXPECT_TRUE(has(text, "Again gordian run --order random ./cart_test")) << text;
  EXPECT_FALSE(has(text, "gordian replay")) << text;
}

TEST(RunSummary, OnATerminalMessagesAreCutButNamesAreNot) {
  RunFacts facts = sample_run({K::fail});
  facts.orders[0].runs[0].outcome.message = std::string(300, 'x');
  Style narrow;
  narrow.width = 60;
  std::string text = run_summary(facts, narrow);
  EXPECT_TRUE(has(text, "FAIL Cart.T0  cart_test.cc:42: xxx")) << text;
  EXPECT_FALSE(has(text, std::string(60, 'x'))) << text;
  EXPECT_TRUE(has(run_summary(facts, {}), std::string(300, 'x')));
}

TEST(RunsTotal, CountsAllAndNamesWhereItFailed) {
  std::vector<RunFacts> runs = {sample_run({K::pass, K::pass}), sample_run({K::pass, K::crash}),
                                sample_run({K::pass, K::not_run})};
  runs[0].header.target.binary = "good";
  runs[1].header.target.binary = "bad";
  runs[2].header.target.binary = "cut";
  const std::string text = scrub(runs_total(runs, {}));
  EXPECT_TRUE(has(text, "5 tests of 3 binaries: 4 passed, 1 failed (1 crashed)")) << text;
  EXPECT_TRUE(has(text, "in bad: 1 passed, 1 failed (1 crashed)\n")) << text;
  EXPECT_TRUE(has(text, "in cut: 1 passed, 1 not run\n")) << text;
  EXPECT_FALSE(has(text, "good")) << text;
}

TEST(TestsThatChanged, UnknownResultsAreNoChange) {
  RunFacts facts = sample_run({K::pass, K::fail});
  add_repeat(facts, {K::not_run, K::lost});
  add_repeat(facts, {K::pass, K::fail});
  EXPECT_TRUE(tests_that_changed(facts).empty());
}

TEST(TestsThatChanged, AnotherFailureIsAChangeAnotherNumberIsNot) {
  RunFacts facts = sample_run({K::fail, K::fail});
  add_repeat(facts, {K::fail, K::fail});
  facts.orders[0].runs[0].outcome.message = "took 17 ms";
  facts.orders[1].runs[0].outcome.message = "took 18 ms";
  facts.orders[1].runs[1].outcome.line = 43;
  auto changed = tests_that_changed(facts);
  ASSERT_EQ(changed.size(), 1U);
  EXPECT_EQ(changed[0].test, TestId{1});
  EXPECT_EQ(changed[0].results.size(), 2U);
}

TEST(TestsThatChanged, TwoPlacesInOneOrderAreNotCompared) {
  RunFacts facts = sample_run({K::pass, K::fail});
  facts.orders[0].runs[1].test = TestId{0};  // the same test twice: passes first, then fails
  facts.orders.push_back(facts.orders[0]);
  EXPECT_TRUE(tests_that_changed(facts).empty());
}

}  // namespace
}  // namespace gordian
