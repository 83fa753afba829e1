// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "report/repair_report.h"

#include <gtest/gtest.h>

#include "report/text.h"
#include "tests/report/golden.h"
#include "tests/report/repair_samples.h"

namespace gordian {
namespace {

using namespace testing_support;

std::string whole(const FixReport& report, const Style& style = {}, bool verbose = false) {
  return repair_blocks(report, verbose, style) + repair_next_steps(report, style) +
         repair_verdict(report, style);
}

TEST(RepairText, EveryVerdict) {
  expect_golden("repair_all_verdicts.txt", whole(sample_fix()));
}

TEST(RepairText, Verbose) {
  expect_golden("repair_verbose.txt", whole(sample_fix(), {}, true));
}

TEST(RepairText, OnATerminalNoLineIsWiderThanItButDiffsAndCommands) {
  FixReport report = sample_fix();
  report.fix.repairs[0].attempts[2].patch.summary = "puts " + std::string(150, 'x') + " back";
  Style style;
  style.unicode = true;
  for (int width : {40, 60, 80, 120}) {
    style.width = width;
    for (std::string_view line : split_lines(repair_blocks(report, false, style))) {
      if (!line.starts_with(" ") || line.starts_with(" #") || line.starts_with(" T")) continue;
      EXPECT_LT(display_width(line), width) << line;
    }
  }
  style.width = 60;
  style.color = true;
  expect_golden("repair_tty.txt", whole(sample_fix(), style));
}

TEST(RepairText, SaysWhatWasDoneWithThePatch) {
  FixReport report = sample_fix();
  EXPECT_TRUE(has(repair_next_steps(report, {}), "Nothing in /home/me/cart was changed."));
  report.diff_file = "/tmp/my fix.patch";
  EXPECT_TRUE(
      has(repair_next_steps(report, {}), "  git -C /home/me/cart apply '/tmp/my fix.patch'\n"));
  report.applied = true;
  EXPECT_TRUE(has(repair_next_steps(report, {}), "2 files in /home/me/cart changed."));
  EXPECT_FALSE(has(repair_next_steps(report, {}), "Nothing"));
  report.fix.files.clear();
  EXPECT_EQ(repair_next_steps(report, {}), "");
}

TEST(RepairText, TheVerdictOfAllIsGreenOnlyWhenAllAre) {
  FixReport report = sample_fix();
  Style style;
  style.color = true;
  EXPECT_TRUE(has(repair_verdict(report, style), paint("repaired", Ink::yellow, true)));
  report.fix.repairs.resize(2);
  const std::string said = repair_verdict(report, style);
  EXPECT_TRUE(has(said, paint("verified.", Ink::green, true))) << said;
}

TEST(RepairText, SizeOfAPatch) {
  Patch patch = sample_patch();
  EXPECT_EQ(patch_size_text(patch), "restore: 2 lines added, 1 line removed, 1 new file");
  patch.removed = 0;
  patch.product_code = true;
  patch.diff = "";
  EXPECT_EQ(patch_size_text(patch), "restore: 2 lines added, touches product code");
}

TEST(RepairText, RandomOrdersBeforeAndAfter) {
  FixFacts fix;
  EXPECT_EQ(random_orders_sentence(fix), "");
  fix.random_orders = 20;
  fix.failing_before = 1;
  EXPECT_EQ(random_orders_sentence(fix), "In 20 random orders 1 test differed before, none after.");
}

TEST(DiffText, ColoursByMeaningNotByFirstCharacter) {
  Style style;
  style.color = true;
  const std::string text = diff_text(sample_patch().diff, style);
  EXPECT_TRUE(has(text, paint("--- a/cart_test.cc", Ink::bold, true)));
  EXPECT_TRUE(has(text, paint("--- x;", Ink::red, true)));  // a removed line "-- x;"
  EXPECT_TRUE(has(text, paint("--- /dev/null", Ink::bold, true)));
  EXPECT_TRUE(has(text, paint("+#pragma once", Ink::green, true)));
  EXPECT_EQ(diff_text(sample_patch().diff, {}), sample_patch().diff);
}

TEST(DiffText, LongNewFilesAreFoldedAndNothingElseIs) {
  std::string added;
  for (std::size_t i = 0; i <= kLongNewFile; ++i) added += "+x\n";
  const std::string head = "diff --git a/n b/n\n--- /dev/null\n+++ b/n\n@@ -0,0 +1,21 @@\n",
                    next = "diff --git a/o b/o\n--- a/o\n+++ b/o\n@@ -0,0 +1,21 @@\n";
  const std::string folded = diff_text(head + added + next + added, {}, NewFiles::folded);
  EXPECT_EQ(folded, head + "[21 lines of a new file: -v shows them]\n" + next + added);
  EXPECT_EQ(diff_text(head + added, {}), head + added);
}

TEST(DiffText, IsHarmless) {
  EXPECT_EQ(diff_text("+\x1b[31mx\r\n+\ty\r\n", {}), "+\\x1b[31mx\n+\ty\n");
}

}  // namespace
}  // namespace gordian
