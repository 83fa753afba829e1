// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "report/live_display.h"

#include <gtest/gtest.h>

#include "tests/report/sample_facts.h"

namespace gordian {
namespace {

using namespace std::chrono_literals;
using namespace testing_support;

TEST(TimeLeft, GoesOnAsBefore) {
  Progress progress;
  progress.total = 100;
  progress.done = 25;
  progress.elapsed = 10s;
  EXPECT_EQ(time_left(progress), std::chrono::nanoseconds(30s));
}

TEST(TimeLeft, NoGuessWithoutEvidence) {
  Progress progress;
  progress.total = 100;
  progress.elapsed = 10s;
  EXPECT_EQ(time_left(progress), std::nullopt);  // nothing done
  progress.done = 25;
  progress.elapsed = 500ms;
  EXPECT_EQ(time_left(progress), std::nullopt);  // too early
  progress.done = 100;
  progress.elapsed = 10s;
  EXPECT_EQ(time_left(progress), std::nullopt);  // nothing left
}

TEST(ProgressBlock, SaysHowManyMoreAreRunning) {
  Progress progress;
  progress.total = 10;
  for (std::uint32_t i = 0; i < 7; ++i) progress.running.push_back({TestId{i}, 1s * (i + 1)});
  Style style;
  style.width = 80;
  auto lines = progress_block(progress, sample_suite(10), 4, style);
  ASSERT_EQ(lines.size(), 7U);  // bar, counts, four tests, the rest
  EXPECT_EQ(lines[2].render(style), "          [     7.0 s] Cart.T6");
  EXPECT_EQ(lines[6].render(style), "                       and 3 more");
}

TEST(ProgressLine, NamesTheLongestRunningTest) {
  Progress progress;
  progress.done = 812;
  progress.total = 2000;
  progress.counts.pass = 812;
  progress.elapsed = 10s;
  progress.running = {{TestId{1}, 600ms}, {TestId{2}, 8100ms}};
  EXPECT_EQ(progress_line(progress, sample_suite(3)),
            "  Running [    10.0 s] 812/2,000: 812 passed; Cart.T2 runs for 8.1 s");
}

}  // namespace
}  // namespace gordian
