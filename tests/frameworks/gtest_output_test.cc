// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "frameworks/gtest/output.h"

#include <gtest/gtest.h>

namespace gordian {
namespace {

TEST(TestList, SuitesAndTests) {
  auto tests = parse_test_list("Running main() from gtest_main.cc\nA.\n  One\n  Two\nB.\n  One\n");
  ASSERT_EQ(tests.size(), 3u);
  EXPECT_EQ(tests[0].full_name(), "A.One");
  EXPECT_EQ(tests[1].full_name(), "A.Two");
  EXPECT_EQ(tests[2].full_name(), "B.One");
  EXPECT_TRUE(tests[0].will_run);
}

TEST(TestList, Parameters) {
  auto tests = parse_test_list(
      "Ty/0.  # TypeParam = int\n  Works\n"
      "I/P.\n  Odd/0  # GetParam() = 3\n  Odd/1  # GetParam() = \"a  # b\"\n");
  ASSERT_EQ(tests.size(), 3u);
  EXPECT_EQ(tests[0].full_name(), "Ty/0.Works");
  EXPECT_EQ(tests[0].type_param, "int");
  EXPECT_EQ(tests[1].full_name(), "I/P.Odd/0");
  EXPECT_EQ(tests[1].value_param, "3");
  EXPECT_EQ(tests[1].type_param, "");
  EXPECT_EQ(tests[2].value_param, "\"a  # b\"");
}

TEST(TestList, DisabledByTestOrSuiteName) {
  auto tests = parse_test_list("A.\n  DISABLED_One\nDISABLED_B.\n  One\nI/DISABLED_C.\n  One/0\n");
  ASSERT_EQ(tests.size(), 3u);
  for (const auto& test : tests) {
    EXPECT_TRUE(test.disabled) << test.full_name();
    EXPECT_FALSE(test.will_run) << test.full_name();
  }
}

TEST(TestList, WhatTheProgramPrintsItselfIsNoTest) {
  EXPECT_TRUE(parse_test_list("").empty());
  EXPECT_TRUE(parse_test_list("  indented before any suite\nDone with it.\n").empty());
}

TEST(RunOutput, PassFailSkip) {
  auto results = parse_run_output(
      "[ RUN      ] A.One\n[       OK ] A.One (3 ms)\n"
      "[ RUN      ] A.Two\nx/a.cc:12: Failure\nExpected: 1\n  Actual: 2\n"
      "[  FAILED  ] A.Two (0 ms)\n"
      "[ RUN      ] A.Three\nx/a.cc:20: Skipped\nno network\n[  SKIPPED ] A.Three (1 ms)\n");
  ASSERT_EQ(results.size(), 3u);
  EXPECT_EQ(results[0].outcome.kind, OutcomeKind::pass);
  EXPECT_EQ(results[0].duration.count(), 3);
  EXPECT_EQ(results[1].outcome.kind, OutcomeKind::fail);
  EXPECT_EQ(results[1].outcome.file, "x/a.cc");
  EXPECT_EQ(results[1].outcome.line, 12);
  EXPECT_EQ(results[1].outcome.message, "Expected: 1\n  Actual: 2");
  EXPECT_EQ(results[2].outcome.kind, OutcomeKind::skip);
  EXPECT_EQ(results[2].outcome.message, "no network");
}

TEST(RunOutput, FirstFailureCounts) {
  auto results = parse_run_output(
      "[ RUN      ] A.One\na.cc:1: Failure\nfirst\na.cc:2: Failure\nsecond\n"
      "[  FAILED  ] A.One (0 ms)\n");
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(results[0].outcome.line, 1);
  EXPECT_EQ(results[0].outcome.message, "first");
}

TEST(RunOutput, StopsInsideATest) {
  auto results = parse_run_output(
      "[ RUN      ] A.One\n[       OK ] A.One (0 ms)\n[ RUN      ] A.Two\nabout to cr");
  ASSERT_EQ(results.size(), 2u);
  EXPECT_TRUE(results[0].ended);
  EXPECT_FALSE(results[1].ended);
  EXPECT_EQ(results[1].output, "about to cr\n");
}

TEST(RunOutput, TextBeforeTheMarkBelongsToTheTest) {
  auto results = parse_run_output("[ RUN      ] A.One\nno newline[       OK ] A.One (0 ms)\n");
  ASSERT_EQ(results.size(), 1u);
  EXPECT_TRUE(results[0].ended);
  EXPECT_EQ(results[0].output, "no newline");
}

TEST(RunOutput, ParametersStandBehindTheName) {
  auto results = parse_run_output(
      "[ RUN      ] I/P.Odd/1\n[  FAILED  ] I/P.Odd/1, where GetParam() = (2, 3) (45 ms)\n");
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(results[0].full_name, "I/P.Odd/1");
  EXPECT_EQ(results[0].outcome.kind, OutcomeKind::fail);
  EXPECT_EQ(results[0].duration.count(), 45);
}

TEST(RunOutput, ALongerNameIsAnotherTest) {
  auto results = parse_run_output(
      "[ RUN      ] A.One\n[       OK ] A.OneMore (1 ms)\n[  FAILED  ] A.One (2 ms)\n");
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(results[0].outcome.kind, OutcomeKind::fail);
}

TEST(RunOutput, TheClosingListIsNoResult) {
  auto results = parse_run_output(
      "[ RUN      ] A.One\n[  FAILED  ] A.One (0 ms)\n[==========] 1 test ran.\n"
      "[  FAILED  ] 1 test, listed below:\n[  FAILED  ] A.One\n");
  ASSERT_EQ(results.size(), 1u);
}

TEST(RunOutput, ExceptionHasNoPlace) {
  auto results = parse_run_output(
      "[ RUN      ] A.One\nunknown file: Failure\nC++ exception\n[  FAILED  ] A.One (0 ms)\n");
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(results[0].outcome.file, "unknown file");
  EXPECT_EQ(results[0].outcome.line, 0);
  EXPECT_EQ(results[0].outcome.message, "C++ exception");
}

}  // namespace
}  // namespace gordian
