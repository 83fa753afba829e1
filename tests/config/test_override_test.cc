// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "config/test_override.h"

#include <gtest/gtest.h>

namespace gordian {
namespace {

using namespace std::chrono_literals;

Suite suite_of(std::initializer_list<const char*> names) {
  std::vector<Test> tests;
  for (const char* name : names) {
    tests.emplace_back();
    tests.back().suite = "S";
    tests.back().name = name;
  }
  return Suite(Framework::gtest, "", std::move(tests));
}

TestOverride override_for(const char* filter) {
  TestOverride override;
  override.filter = TestFilter(filter);
  return override;
}

TEST(TestOverride, TheFirstThatSaysSomethingHolds) {
  std::vector<TestOverride> overrides = {override_for("S.A"), override_for("S.*")};
  overrides[0].serial = false;
  overrides[1].serial = true;
  overrides[1].timeout = 3s;
  const Suite suite = suite_of({"A", "B"});
  EXPECT_FALSE(is_serial(suite.test(TestId(0)), overrides));
  EXPECT_TRUE(is_serial(suite.test(TestId(1)), overrides));
  auto limits = own_timeouts(suite, overrides);
  ASSERT_EQ(limits.size(), 2U);
  EXPECT_EQ(limits[0], 3s);
}

TEST(TestOverride, NoLimitsWhereNoneIsGiven) {
  EXPECT_TRUE(own_timeouts(suite_of({"A"}), {}).empty());
  std::vector<TestOverride> overrides = {override_for("S.B")};
  overrides[0].timeout = 0s;
  EXPECT_TRUE(own_timeouts(suite_of({"A"}), overrides).empty());
  auto limits = own_timeouts(suite_of({"A", "B", "C"}), overrides);
  EXPECT_FALSE(limits[0]);
  EXPECT_EQ(limits[1], 0s);
}

TEST(TestOverride, SerialTestsRunOneByOneBehindTheOthers) {
  std::vector<TestOverride> overrides = {override_for("S.B:S.C")};
  overrides[0].serial = true;
  const Suite suite = suite_of({"A", "B", "C", "D"});
  auto split = split_serial(suite.default_order(), suite, overrides);
  std::vector<std::vector<std::size_t>> calls;
  EXPECT_TRUE(run_split(split, [&](std::span<const std::size_t> positions) {
    calls.emplace_back(positions.begin(), positions.end());
    return Status();
  }));
  EXPECT_EQ(calls, (std::vector<std::vector<std::size_t>>{{0, 3}, {1}, {2}}));
}

TEST(TestOverride, AnErrorEndsTheRun) {
  int calls = 0;
  Status ran = run_split({{0}, {1}}, [&](std::span<const std::size_t>) {
    ++calls;
    return Status(internal_error("no"));
  });
  EXPECT_FALSE(ran);
  EXPECT_EQ(calls, 1);
}

}  // namespace
}  // namespace gordian
