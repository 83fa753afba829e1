// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "batch/server.h"

#include <gtest/gtest.h>

#include <csignal>

#include "batch/fresh_process.h"

namespace gordian::batch {
namespace {

Reply reply(OutcomeKind kind, std::string output = "", int signal = 0) {
  Test test;
  test.suite = "I/A";
  test.name = "B/0";
  test.value_param = "7";
  TestRun run;
  run.outcome.kind = kind;
  run.outcome.signal = signal;
  run.output = std::move(output);
  run.duration = std::chrono::milliseconds(3);
  return reply_for("/x/tests", test, run, {});
}

TEST(ResultText, APassReadsAsTheFrameworkPrintsIt) {
  Reply passed = reply(OutcomeKind::pass, "hello");
  EXPECT_EQ(passed.text, "[ RUN      ] I/A.B/0\nhello\n[       OK ] I/A.B/0 (3 ms)\n");
  EXPECT_EQ(passed.exit_code, 0);
}

TEST(ResultText, EveryOutcomeHasItsCode) {
  EXPECT_EQ(reply(OutcomeKind::skip).exit_code, kExitSkipped);
  EXPECT_EQ(reply(OutcomeKind::fail).exit_code, 1);
  EXPECT_EQ(reply(OutcomeKind::exit).exit_code, 1);
  EXPECT_EQ(reply(OutcomeKind::timeout).exit_code, 1);
  EXPECT_EQ(reply(OutcomeKind::crash, "", SIGSEGV).exit_code, 1);
  EXPECT_EQ(reply(OutcomeKind::crash, "", SIGSEGV).signal, SIGSEGV);
  EXPECT_EQ(reply(OutcomeKind::fail).signal, 0);
}

TEST(ResultText, FailuresNameTheirParameter) {
  EXPECT_NE(reply(OutcomeKind::fail).text.find("[  FAILED  ] I/A.B/0, where GetParam() = 7 (3 ms)"),
            std::string::npos);
}

TEST(ResultText, CrashesNameSignalAndNextStep) {
  const std::string text = reply(OutcomeKind::crash, "", SIGSEGV).text;
  EXPECT_NE(text.find("SIGSEGV"), std::string::npos);
  EXPECT_NE(text.find("gordian run --filter I/A.B/0 /x/tests"), std::string::npos);
}

OutputWatch watching(const std::string& text) {
  OutputWatch watch("A.B");
  for (char c : text) watch.take(&c, 1);
  watch.take("\n", 1);
  return watch;
}

TEST(OutputWatching, KnowsASkip) {
  EXPECT_TRUE(watching("[ RUN      ] A.B\n[  SKIPPED ] A.B (0 ms)\n").skipped());
  EXPECT_TRUE(watching("[  SKIPPED ] A.B, where GetParam() = 1 (0 ms)").skipped());
  EXPECT_FALSE(watching("[  SKIPPED ] A.Bigger (0 ms)\n").skipped());
  EXPECT_FALSE(watching("say [  SKIPPED ] A.B (0 ms)\n").skipped());
}

TEST(OutputWatching, IsNotFooledByTheTestItself) {
  EXPECT_FALSE(watching("[  SKIPPED ] A.B (0 ms)\n[       OK ] A.B (0 ms)\n").skipped());
}

TEST(OutputWatching, KnowsAnEmptyRun) {
  EXPECT_TRUE(watching("[==========] Running 0 tests from 0 test suites.").found_nothing());
  EXPECT_FALSE(watching("[==========] Running 1 test from 1 test suite.").found_nothing());
}

}  // namespace
}  // namespace gordian::batch
