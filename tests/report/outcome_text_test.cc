// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "report/outcome_text.h"

#include <gtest/gtest.h>

#include <csignal>

#include "tests/report/golden.h"
#include "tests/report/sample_facts.h"

namespace gordian {
namespace {

using K = OutcomeKind;

using namespace testing_support;

TEST(SignalName, KnownRealTimeAndUnknown) {
  EXPECT_EQ(signal_name(SIGSEGV), "SIGSEGV");
  EXPECT_EQ(signal_name(SIGABRT), "SIGABRT");
  EXPECT_EQ(signal_name(SIGRTMIN + 3), "SIGRTMIN+3");
  EXPECT_EQ(signal_name(200), "signal 200");
}

TEST(LocationText, LeavesOutWhatIsUnknown) {
  EXPECT_EQ(location_text("a.cc", 3), "a.cc:3");
  EXPECT_EQ(location_text("a.cc", 0), "a.cc");
  EXPECT_EQ(location_text("", 3), "");
}

TEST(StatusLine, WordsAreRightAligned) {
  using namespace std::chrono_literals;
  EXPECT_EQ(status_line(status_word(OutcomeKind::pass), 12us, "Cart.T0", "", {}),
            "     PASS [  0.012 ms] Cart.T0");
  EXPECT_EQ(status_line(status_word(OutcomeKind::not_run), 0ns, "Cart.T0", "why", {}),
            "  NOT RUN [  0.000 ms] Cart.T0 (why)");
}

TEST(LeaksText, NamesThreadsAndChildren) {
  EXPECT_EQ(leaks_text({}), "");
  EXPECT_EQ(leaks_text({1, 0}), "left 1 thread running");
  EXPECT_EQ(leaks_text({2, 3}), "left 2 threads and 3 child processes running");
}

TEST(CountsLine, ZeroPartsAreLeftOut) {
  OutcomeCounts counts;
  EXPECT_EQ(counts_line(counts, CountDetail::with_kinds).render({}), "0 passed");
  counts.pass = 1990, counts.fail = 6, counts.crash = 1, counts.timeout = 1, counts.skip = 2;
  EXPECT_EQ(counts_line(counts, CountDetail::with_kinds).render({}),
            "1,990 passed, 8 failed (1 crashed, 1 timed out), 2 skipped");
  EXPECT_EQ(counts_line(counts, CountDetail::brief).render({}),
            "1,990 passed, 8 failed, 2 skipped");
}

TEST(AddOutcome, AgreesWithCountOutcomes) {
  RunFacts facts = sample_run({K::pass, K::pass, K::fail, K::skip, K::crash, K::timeout, K::exit,
                               K::not_run, K::lost, K::lost});
  OutcomeCounts ours, theirs = count_outcomes(facts);
  for (const TestRun& run : facts.orders[0].runs) add_outcome(ours, run.outcome.kind);
  EXPECT_EQ(std::make_tuple(ours.pass, ours.fail, ours.skip, ours.crash, ours.timeout, ours.exit,
                            ours.not_run, ours.lost),
            std::make_tuple(theirs.pass, theirs.fail, theirs.skip, theirs.crash, theirs.timeout,
                            theirs.exit, theirs.not_run, theirs.lost));
}

TEST(FailureBlock, CrashShowsSignalStackLeaksAndOutput) {
  TestRun run = run_of(0, OutcomeKind::crash);
  run.stack = {{"cart::Cart::total() const", "cart.cc", 88, "cart_test", 0x1234},
               {"testing::Test::Run()", "", 0, "libgtest.so.1.12", 0x2345},
               {"", "", 0, "libc.so.6", 0x7f00}};
  run.leaks.threads = 1;
  for (int i = 1; i <= 60; ++i) run.output += "line " + std::to_string(i) + "\n";
  run.output_truncated = true;
  Suite suite = sample_suite(1);
  expect_golden("failure_crash.txt", failure_block(run, suite.test(run.test), {}, false));
  std::string all = failure_block(run, suite.test(run.test), {}, true);
  EXPECT_NE(all.find("line 30\n"), std::string::npos);
}

TEST(FailureBlock, WhatCallsEveryTestIsLeftOutOfStacks) {
  TestRun run;
  run.outcome.kind = OutcomeKind::crash;
  run.outcome.signal = 6;
  run.stack = {{"abort", "abort.c", 79, "libc.so.6", 1},
               {"Cart_Total_Test::TestBody()", "cart_test.cc", 12, "cart_test", 2},
               {"testing::Test::Run()", "", 0, "cart_test", 3},
               {"main", "", 0, "cart_test", 4}};
  const std::string brief = failure_block(run, gordian::Test{}, {}, false);
  EXPECT_NE(brief.find("TestBody"), std::string::npos) << brief;
  EXPECT_EQ(brief.find("testing::Test::Run"), std::string::npos) << brief;
  EXPECT_NE(brief.find("[2 frames more, --verbose shows all]"), std::string::npos) << brief;
  EXPECT_NE(failure_block(run, gordian::Test{}, {}, true).find("main"), std::string::npos);
}

TEST(FailureBlock, LongStacksSayHowMuchWasCut) {
  TestRun run = run_of(0, OutcomeKind::timeout);
  for (int i = 0; i < 25; ++i) run.stack.push_back({"recurse", "a.cc", i + 1, "a", 1});
  Suite suite = sample_suite(1);
  std::string text = failure_block(run, suite.test(run.test), {}, false);
  EXPECT_NE(text.find("[5 frames more, --verbose shows all]"), std::string::npos) << text;
}

TEST(FailureBlock, HostileTestCannotReachTheTerminal) {
  gordian::Test test;
  test.suite = "Evil\x1b[2J";
  test.name = "Name\nPASS";
  TestRun run = run_of(0, OutcomeKind::fail);
  run.outcome.file = "a\x1b[1A.cc";
  run.outcome.message = "\x1b]0;title\x07\rgone\xff";
  run.output = "\u009b2J\x9b\x08";
  run.stack = {{"f\x1bg", "", 0, "m\x1b", 1}};
  std::string text = failure_block(run, test, {}, false) + failure_headline(run, test);
  for (char c : text) EXPECT_TRUE(c == '\n' || (c >= 0x20 && c < 0x7f)) << static_cast<int>(c);
  EXPECT_NE(text.find("Evil\\x1b[2J.Name\\nPASS"), std::string::npos) << text;
}

}  // namespace
}  // namespace gordian
