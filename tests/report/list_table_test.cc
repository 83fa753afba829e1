// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "report/run_report.h"

#include <gtest/gtest.h>

#include "report/text.h"
#include "tests/report/golden.h"
#include "tests/report/sample_facts.h"

namespace gordian {
namespace {

using namespace testing_support;

Suite mixed_suite() {
  std::vector<Test> tests = sample_suite(4).tests();
  tests[1].name = "DISABLED_T1";
  tests[1].disabled = true;
  tests[1].will_run = false;
  tests[2].suite = "All/Parametrised";
  tests[2].name = "WithAVeryLongNameThatTellsAWholeStory/0";
  tests[2].value_param = "(1, \"x\x1b\")";
  tests[3].file.clear();
  tests[3].will_run = false;
  return Suite(Framework::gtest, "1.12.1", tests);
}

Target sample_target() {
  Target target;
  target.binary = "/home/me/build/cart_test";
  return target;
}

TEST(ListTable, InAPipeNothingIsCut) {
  expect_golden("list_pipe.txt", list_table(sample_target(), mixed_suite(), {}));
}

TEST(ListTable, OnATerminalNamesAreCutInTheMiddle) {
  Style style;
  style.unicode = true;
  style.width = 64;
  std::string text = list_table(sample_target(), mixed_suite(), style);
  expect_golden("list_tty.txt", text);
  std::vector<std::string_view> lines = split_lines(text);
  for (std::size_t i = 1; i < lines.size(); ++i) EXPECT_LE(display_width(lines[i]), 64) << lines[i];
}

TEST(ListTable, EmptySuiteIsOneLine) {
  EXPECT_EQ(list_table(sample_target(), Suite(Framework::unknown, "", {}), {}),
            "/home/me/build/cart_test: unknown, 0 tests\n");
}

}  // namespace
}  // namespace gordian
