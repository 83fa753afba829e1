// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "cli/shared_options.h"

#include <gtest/gtest.h>

namespace gordian {
namespace {

using std::chrono::milliseconds;

TEST(ParseDuration, KnowsItsUnits) {
  EXPECT_EQ(*parse_duration("500ms"), milliseconds(500));
  EXPECT_EQ(*parse_duration("2s"), milliseconds(2000));
  EXPECT_EQ(*parse_duration("1.5m"), milliseconds(90'000));
  EXPECT_EQ(*parse_duration("3min"), milliseconds(180'000));
  EXPECT_EQ(*parse_duration("1h"), milliseconds(3'600'000));
}

TEST(ParseDuration, BareNumbersAreSeconds) {
  EXPECT_EQ(*parse_duration("7"), milliseconds(7000));
  EXPECT_EQ(*parse_duration("0.25"), milliseconds(250));
  EXPECT_EQ(*parse_duration("0"), milliseconds(0));
}

TEST(ParseDuration, RoundsToMilliseconds) {
  EXPECT_EQ(*parse_duration("0.0016s"), milliseconds(2));
}

TEST(ParseDuration, RefusesWhatIsNoTime) {
  for (const char* text : {"", "soon", "s", "-1s", "2 s", "2sec", "1s2", "nan", "inf", "1e300h"}) {
    auto parsed = parse_duration(text);
    ASSERT_FALSE(parsed) << text;
    EXPECT_EQ(parsed.error().kind, ErrorKind::usage);
    EXPECT_NE(parsed.error().message.find(std::string("'") + text + "'"), std::string::npos);
    EXPECT_FALSE(parsed.error().hint.empty());
  }
}

TEST(ToRequest, TakesWhatTheOptionsSay) {
  RunOptions options;
  options.isolate = "process";
  options.jobs = 3;
  options.repeat = 4;
  options.timeout = "250ms";
  options.private_fs = "on";
  options.fail_fast = true;
  auto request = to_request(options);
  ASSERT_TRUE(request);
  EXPECT_EQ(request->isolation, Isolation::process);
  EXPECT_EQ(request->engine.jobs, 3);
  EXPECT_EQ(request->repeat, 4);
  EXPECT_EQ(request->engine.limits.test_timeout, milliseconds(250));
  EXPECT_TRUE(request->engine.private_fs_required);
  EXPECT_TRUE(request->fail_fast);
}

TEST(ToRequest, NoJobsMeansOnePerProcessor) {
  auto request = to_request(RunOptions{});
  ASSERT_TRUE(request);
  EXPECT_GE(request->engine.jobs, 1);
  EXPECT_LE(request->engine.jobs, 64);
}

TEST(ToRequest, OneBadTimeIsEnough) {
  for (std::string RunOptions::*time : {&RunOptions::timeout, &RunOptions::total_timeout,
                                        &RunOptions::start_timeout, &RunOptions::slow}) {
    RunOptions options;
    options.*time = "later";
    EXPECT_FALSE(to_request(options));
  }
}

}  // namespace
}  // namespace gordian
