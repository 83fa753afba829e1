// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "runtime/process/order_process.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <csignal>

namespace gordian {
namespace {

using Kind = OutcomeKind;

ProcessEnd exits(int code) {
  ProcessEnd end;
  end.wait_status = code << 8;
  return end;
}
ProcessEnd dies_of(int signal) {
  ProcessEnd end;
  end.wait_status = signal;
  return end;
}

TEST(CtestOutcome, TheExitCodeDecides) {
  EXPECT_EQ(ctest_outcome({}, exits(0), "").kind, Kind::pass);
  const Outcome failed = ctest_outcome({}, exits(3), "first\nsecond\n");
  EXPECT_EQ(failed.kind, Kind::fail);
  EXPECT_EQ(failed.exit_code, 3);
  EXPECT_EQ(failed.message, "exit code 3\nfirst\nsecond");
}

TEST(CtestOutcome, OtherWordsAreTheSameFailureAnotherCodeIsNot) {
  const Outcome one = ctest_outcome({}, exits(1), "at 10:15, file x8f3");
  EXPECT_TRUE(same_result(one, ctest_outcome({}, exits(1), "at 10:16, file k2aa")));
  EXPECT_FALSE(same_result(one, ctest_outcome({}, exits(2), "at 10:15, file x8f3")));
}

TEST(CtestOutcome, AFailedAssertionIsAFailureWithAPlace) {
  const Outcome failed = ctest_outcome(
      {}, dies_of(SIGABRT), "hello\nprog: /src/a b/x.c:12: main: Assertion `n == 0' failed.\n");
  EXPECT_EQ(failed.kind, Kind::fail);
  EXPECT_EQ(failed.line, 12);
  EXPECT_EQ(failed.message, "Assertion `n == 0' failed.");
  const Outcome other =
      ctest_outcome({}, dies_of(SIGABRT), "prog: x.c:13: main: Assertion `n == 0' failed.\n");
  EXPECT_EQ(other.file, "x.c");
  EXPECT_FALSE(same_result(failed, other));
}

TEST(CtestOutcome, AnyOtherSignalIsACrash) {
  EXPECT_EQ(ctest_outcome({}, dies_of(SIGSEGV), "").kind, Kind::crash);
  EXPECT_EQ(ctest_outcome({}, dies_of(SIGSEGV), "").signal, SIGSEGV);
  EXPECT_EQ(ctest_outcome({}, dies_of(SIGABRT), "terminate called").kind, Kind::crash);
}

TEST(CtestOutcome, ItIsSkippedByCodeOrWord) {
  CtestEntry test;
  test.skip_return_code = 77;
  test.skip_regex = {"no (display|sound)"};
  EXPECT_EQ(ctest_outcome(test, exits(77), "").kind, Kind::skip);
  EXPECT_EQ(ctest_outcome(test, exits(1), "there is no sound\n").kind, Kind::skip);
  EXPECT_EQ(ctest_outcome(test, exits(1), "silence").kind, Kind::fail);
}

TEST(CtestOutcome, ThePassExpressionOutweighsTheExitCode) {
  CtestEntry test;
  test.pass_regex = {"nothing", "^all .ell"};
  EXPECT_EQ(ctest_outcome(test, exits(9), "all well").kind, Kind::pass);
  EXPECT_EQ(ctest_outcome(test, exits(0), "\nall well").kind, Kind::fail);  // ^ is of the whole
  test.fail_regex = {"but"};
  EXPECT_EQ(ctest_outcome(test, exits(0), "all well, but").kind, Kind::fail);
}

TEST(CtestOutcome, WillFailTurnsTheResultButNotACrash) {
  CtestEntry test;
  test.will_fail = true;
  EXPECT_EQ(ctest_outcome(test, exits(1), "").kind, Kind::pass);
  EXPECT_EQ(ctest_outcome(test, exits(0), "").kind, Kind::fail);
  EXPECT_EQ(ctest_outcome(test, dies_of(SIGSEGV), "").kind, Kind::crash);
}

TEST(CtestOutcome, WhatNeverRan) {
  ProcessEnd missing, unstarted, late;
  missing.missing_file = "data.bin";
  unstarted.start_error = ENOENT;
  late.timed_out = true;
  late.wait_status = SIGKILL;
  EXPECT_NE(ctest_outcome({}, missing, "").message.find("data.bin"), std::string::npos);
  EXPECT_EQ(ctest_outcome({}, unstarted, "").kind, Kind::fail);
  EXPECT_EQ(ctest_outcome({}, late, "").kind, Kind::timeout);
}

}  // namespace
}  // namespace gordian
