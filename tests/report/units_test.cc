// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "report/text.h"

#include <gtest/gtest.h>

namespace gordian {
namespace {

using namespace std::chrono_literals;

TEST(HumanDuration, PicksTheUnit) {
  EXPECT_EQ(human_duration(850ns), "850 ns");
  EXPECT_EQ(human_duration(42us), "42 us");
  EXPECT_EQ(human_duration(1300us), "1.3 ms");
  EXPECT_EQ(human_duration(412ms), "412 ms");
  EXPECT_EQ(human_duration(2410ms), "2.41 s");
  EXPECT_EQ(human_duration(65s), "1m 05s");
  EXPECT_EQ(human_duration(2h + 3min), "2h 03m");
}

TEST(HumanDuration, RoundingMovesToTheNextUnit) {
  EXPECT_EQ(human_duration(999'600ns), "1.0 ms");
  EXPECT_EQ(human_duration(99'960us), "100 ms");
  EXPECT_EQ(human_duration(999'700us), "1.00 s");
  EXPECT_EQ(human_duration(59'996ms), "1m 00s");
  EXPECT_EQ(human_duration(59min + 59s + 600ms), "1h 00m");
}

TEST(HumanDuration, NegativeIsZero) {
  EXPECT_EQ(human_duration(-5ms), "0 ns");
}

TEST(HumanElapsed, TenthsThenMinutes) {
  EXPECT_EQ(human_elapsed(4140ms), "4.1 s");
  EXPECT_EQ(human_elapsed(59'960ms), "1m 00s");
}

TEST(ColumnDuration, IsAlwaysTenColumns) {
  EXPECT_EQ(column_duration(12us), "  0.012 ms");
  EXPECT_EQ(column_duration(2410ms), "   2.410 s");
  for (auto duration : std::initializer_list<std::chrono::nanoseconds>{
           0ns, 999'999'900ns, 1s, 999'999ms, 1000s, 9999s, 3h, 99h}) {
    EXPECT_EQ(column_duration(duration).size(), 10U) << duration.count();
  }
}

TEST(Thousands, SeparatesFromTheRight) {
  EXPECT_EQ(thousands(0), "0");
  EXPECT_EQ(thousands(999), "999");
  EXPECT_EQ(thousands(14'280), "14,280");
  EXPECT_EQ(thousands(1'000'000), "1,000,000");
}

TEST(CountOf, PluralWords) {
  EXPECT_EQ(count_of(1, "test"), "1 test");
  EXPECT_EQ(count_of(0, "test"), "0 tests");
  EXPECT_EQ(count_of(2000, "child process", "child processes"), "2,000 child processes");
}

}  // namespace
}  // namespace gordian
