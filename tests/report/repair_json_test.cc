// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "report/repair_report.h"

#include <gtest/gtest.h>

#include "report/json.h"
#include "tests/report/golden.h"
#include "tests/report/repair_samples.h"

namespace gordian {
namespace {

using namespace testing_support;
using nlohmann::json;

TEST(RepairJson, WholeDocument) {
  FixReport report = sample_fix();
  report.age = std::chrono::seconds(60);
  report.notices = {{Notice::Level::warning, "careful"}};
  expect_golden("fix.json", dump_json(fix_to_json(report)));
}

TEST(RepairJson, EveryKeyIsThereAndWhatDoesNotApplyIsNull) {
  FixReport report;
  report.suite = sample_suite(121);
  report.dependences = {victim(3, {1})};
  report.fix.repairs.emplace_back();
  const json fix = fix_to_json(report);
  for (const char* key : {"diff", "commit_message", "diff_file", "age_seconds", "db"}) {
    EXPECT_TRUE(fix.at(key).is_null()) << key;
  }
  const json& repair = fix.at("repairs").at(0);
  for (const char* key : {"accepted", "gone_by", "why_not"}) {
    EXPECT_TRUE(repair.at(key).is_null()) << key;
  }
  EXPECT_EQ(repair.at("repaired"), false);
  EXPECT_EQ(fix.at("applied"), false);
}

}  // namespace
}  // namespace gordian
