// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "coverage/import.h"

#include <gtest/gtest.h>

namespace gordian {
namespace {

Suite suite_in(const std::vector<std::string>& files) {
  std::vector<Test> tests;
  for (const std::string& file : files) {
    tests.emplace_back().name = "T" + std::to_string(tests.size());
    tests.back().file = file;
  }
  return Suite(Framework::gtest, "", std::move(tests));
}

/// Two tests; the first covers every unit, the second the last one.
Coverage coverage_of(std::vector<CoverUnit> lines) {
  Coverage coverage;
  CoverSet all(lines.size()), last(lines.size());
  for (std::size_t u = 0; u < lines.size(); ++u) all.add(u);
  last.add(lines.size() - 1);
  coverage.statements = {lines, {all, last}};
  coverage.functions = coverage.statements;
  return coverage;
}

TEST(TestCode, FilesWithTestsAreLeftOut) {
  Coverage coverage =
      coverage_of({{"/p/a.cc", 1, ""}, {"/p/t/a_test.cc", 2, ""}, {"/p/z.cc", 3, ""}});
  EXPECT_EQ(leave_out_test_code(coverage, suite_in({"../t/a_test.cc", ""})), 1U);
  ASSERT_EQ(coverage.statements.units.size(), 2U);
  EXPECT_EQ(coverage.statements.units[1].file, "/p/z.cc");
  EXPECT_EQ(coverage.statements.tests[0].count(), 2U);
  EXPECT_FALSE(coverage.statements.tests[1].has(0));
  EXPECT_TRUE(coverage.statements.tests[1].has(1));
  EXPECT_EQ(coverage.functions.units.size(), 2U);
}

TEST(TestCode, OnlyWholeNamesCount) {
  Coverage coverage = coverage_of({{"/p/my_test.cc", 1, ""}, {"/q/test.cc", 2, ""}});
  EXPECT_EQ(leave_out_test_code(coverage, suite_in({"test.cc"})), 1U);
  EXPECT_EQ(coverage.statements.units[0].file, "/p/my_test.cc");
  coverage = coverage_of({{"/p/a/test.cc", 1, ""}, {"/q/test.cc", 2, ""}});
  EXPECT_EQ(leave_out_test_code(coverage, suite_in({"/q/test.cc"})), 1U);
  EXPECT_EQ(coverage.statements.units[0].file, "/p/a/test.cc");
}

TEST(TestCode, IfThereIsNothingElseItCounts) {
  Coverage coverage = coverage_of({{"/p/a.cc", 1, ""}, {"/p/a.cc", 2, ""}});
  EXPECT_EQ(leave_out_test_code(coverage, suite_in({"a.cc"})), 0U);
  EXPECT_EQ(coverage.statements.units.size(), 2U);
}

}  // namespace
}  // namespace gordian
