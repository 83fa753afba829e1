// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "model/test.h"

#include <gtest/gtest.h>

namespace gordian {
namespace {

Test named(std::string suite, std::string name, bool will_run = true) {
  Test test;
  test.suite = std::move(suite);
  test.name = std::move(name);
  test.will_run = will_run;
  return test;
}

TEST(SuiteModel, FindsTestsByFullName) {
  const Suite suite(Framework::gtest, "1.12", {named("A", "x"), named("I/P", "Odd/1")});
  EXPECT_EQ(suite.find("I/P.Odd/1"), TestId{1});
  EXPECT_EQ(suite.test(TestId{0}).full_name(), "A.x");
  EXPECT_FALSE(suite.find("A.y"));
  EXPECT_FALSE(suite.find(""));
}

TEST(SuiteModel, TheDefaultOrderLeavesOutWhatTheFrameworkWould) {
  const Suite suite(Framework::gtest, "1.12",
                    {named("A", "x"), named("A", "DISABLED_y", false), named("B", "z")});
  EXPECT_EQ(suite.default_order(), (Order{TestId{0}, TestId{2}}));
  EXPECT_EQ(suite.size(), 3u);
}

TEST(SuiteModel, AnEmptySuiteHasAnEmptyOrder) {
  const Suite suite;
  EXPECT_TRUE(suite.default_order().empty());
  EXPECT_EQ(suite.framework(), Framework::unknown);
  EXPECT_EQ(to_string(suite.framework()), "unknown");
}

}  // namespace
}  // namespace gordian
