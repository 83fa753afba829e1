// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "repair/copy_server.h"

#include <gtest/gtest.h>
#include <sys/socket.h>

#include "base/unique_fd.h"

namespace gordian {
namespace {

/// As it comes out at the other end.
Message sent(const Message& message) {
  int ends[2];
  EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
  UniqueFd here(ends[0]), there(ends[1]);
  EXPECT_TRUE(send_message(here.get(), message));
  MessageReader reader(there.get());
  EXPECT_TRUE(reader.read_some());
  return *reader.next();
}

TEST(CopyMessages, KeepBytesThatAreNoUtf8) {
  ChangedFiles files;
  files["/a.cc"].after = std::string("caf\xe9\0\n", 6);
  EXPECT_EQ(decode_files(sent(encode(files))).at("/a.cc").after, files["/a.cc"].after);
}

TEST(CopyMessages, KeepSuites) {
  gordian::Test test;
  test.suite = "S";
  test.name = "T/1";
  test.file = "a.cc";
  test.line = 7;
  test.value_param = "x";
  test.disabled = true;
  test.will_run = false;
  test.tags = "[a]";
  test.declared = {"S.U"};
  const Suite suite = *decode_suite(sent(encode(Suite(Framework::catch2, "3.1", {test}))));
  EXPECT_EQ(suite.framework(), Framework::catch2);
  EXPECT_EQ(suite.framework_version(), "3.1");
  const gordian::Test& back = suite.test(TestId{0});
  EXPECT_EQ(back.full_name(), "S.T/1");
  EXPECT_EQ(back.line, 7);
  EXPECT_EQ(back.value_param, "x");
  EXPECT_TRUE(back.disabled);
  EXPECT_FALSE(back.will_run);
  EXPECT_EQ(back.tags, "[a]");
  EXPECT_EQ(back.declared, std::vector<std::string>{"S.U"});
}

TEST(CopyMessages, KeepOutcomes) {
  OrderRun run;
  run.order = {TestId{3}};
  TestRun& test = run.runs.emplace_back(TestId{3});
  test.outcome = {OutcomeKind::crash, "a.cc", 4, "m", 11, 2, true};
  test.duration = std::chrono::nanoseconds(5);
  const std::vector<std::vector<std::string>> orders = {{"S.T"}};
  const auto decoded = decode_runs(sent(encode(std::vector{run})), orders);
  ASSERT_TRUE(decoded.ok());
  const std::vector<OrderRun>& back = *decoded;
  ASSERT_EQ(back.size(), 1u);
  EXPECT_EQ(back[0].order, run.order);
  const Outcome& outcome = back[0].runs[0].outcome;
  EXPECT_TRUE(same_result(outcome, test.outcome));
  EXPECT_EQ(outcome.file, "a.cc");
  EXPECT_EQ(outcome.line, 4);
  EXPECT_EQ(outcome.message, "m");
  EXPECT_EQ(outcome.signal, 11);
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_TRUE(outcome.in_tear_down);
  EXPECT_EQ(back[0].runs[0].duration, test.duration);
}

TEST(CopyMessages, KeepBuildsAndErrors) {
  const BuildResult build =
      *decode_build(sent(encode(BuildResult{true, "out", "err", {"w1", "w2"}, 1.5})));
  EXPECT_TRUE(build.succeeded);
  EXPECT_EQ(build.output, "out");
  EXPECT_EQ(build.first_error, "err");
  EXPECT_EQ(build.new_warnings.size(), 2u);
  EXPECT_EQ(build.seconds, 1.5);
  const Error error = decode_error(sent(encode(Error{ErrorKind::no_match, "m", "h"})));
  EXPECT_EQ(error.kind, ErrorKind::no_match);
  EXPECT_EQ(error.message, "m");
  EXPECT_EQ(error.hint, "h");
}

TEST(CopyMessages, WhatNobodyAskedForIsRefused) {
  OrderRun run;
  run.order = {TestId{3}};
  run.runs.emplace_back(TestId{3});
  const std::vector<std::vector<std::string>> asked = {{"S.T"}}, longer = {{"S.T", "S.U"}},
                                              more = {{"S.T"}, {"S.U"}};
  const Message answer = encode(std::vector{run});
  EXPECT_TRUE(decode_runs(answer, asked).ok());
  EXPECT_FALSE(decode_runs(answer, longer).ok());
  EXPECT_FALSE(decode_runs(answer, more).ok());
  EXPECT_FALSE(decode_runs(Message(), asked).ok());
  for (const char* wrong : {"[[[3, \"maybe\", 0]]]", "[[[3, 7, 0]]]", "[[[\"3\", \"pass\", 0]]]",
                            "[[[3, \"pass\"]]]", "[[3]]", "{\"0\": []}"}) {
    EXPECT_FALSE(decode_runs(Message::parse(wrong), asked).ok()) << wrong;
  }
  EXPECT_FALSE(decode_suite(Message::parse("[99, \"\", []]")).ok());
  EXPECT_FALSE(decode_suite(Message::parse("[1, \"\", [[1]]]")).ok());
  EXPECT_FALSE(decode_build(Message::parse("[true, 1]")).ok());
  EXPECT_EQ(decode_error(Message::parse("[99, \"m\", \"h\"]")).kind, ErrorKind::internal);
}

TEST(CopyMessages, TheEndOfTheChannelIsSeen) {
  int ends[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
  UniqueFd here(ends[0]), there(ends[1]);
  here.reset();
  MessageReader reader(there.get());
  EXPECT_FALSE(reader.read_some());
  EXPECT_FALSE(send_message(there.get(), {{"a", 1}}));
}

}  // namespace
}  // namespace gordian
