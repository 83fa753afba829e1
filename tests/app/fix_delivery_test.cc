// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "app/fix_delivery.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/owned_dir.h"

namespace gordian {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class FixDeliveryTest : public ::testing::Test {
 protected:
  FixDeliveryTest() : dir_(std::move(*TemporaryDir::make(std::vector<fs::path>{"/tmp"}))) {}

  std::string path(const std::string& name) const { return dir_.path() / name; }
  std::string read(const std::string& name) const {
    std::ifstream in(path(name));
    std::stringstream text;
    text << in.rdbuf();
    return text.str();
  }
  /// A report whose patch makes `name` of nothing.
  FixReport report(const std::string& root, const std::string& name) const {
    FixReport report;
    report.fix.source_root = root;
    report.fix.diff = "diff of " + name + "\n";
    report.fix.files = {{path(name), std::nullopt, "new\n"}};
    Repair& repair = report.fix.repairs.emplace_back();
    repair.dependence = DependenceId{1};
    RepairAttempt& attempt = repair.attempts.emplace_back();
    attempt.verdict = RepairVerdict::verified;
    attempt.patch.summary = "puts " + name + " back";
    attempt.patch.commit_message = "Put " + name + " back\n";
    repair.accepted = 0;
    return report;
  }

  TemporaryDir dir_;
};

TEST_F(FixDeliveryTest, DoesNothingUnlessAsked) {
  std::vector<FixReport> reports = {report(dir_.path(), "a")};
  ASSERT_TRUE(deliver(reports, {}).ok());
  EXPECT_FALSE(reports.front().applied);
  EXPECT_TRUE(reports.front().diff_file.empty());
  EXPECT_TRUE(fs::is_empty(dir_.path()));
}

TEST_F(FixDeliveryTest, TheLastFixOfASourceHoldsThemAll) {
  std::vector<FixReport> reports = {report(dir_.path(), "a"), report(dir_.path(), "b")};
  reports.back().fix.files.push_back(reports.front().fix.files.front());
  ASSERT_TRUE(deliver(reports, {true, false, path("out.patch")}).ok());
  EXPECT_FALSE(reports.front().applied);
  EXPECT_TRUE(reports.back().applied);
  EXPECT_EQ(read("a") + read("b"), "new\nnew\n");
  EXPECT_EQ(read("out.patch"), "diff of b\n");
  EXPECT_EQ(reports.back().diff_file, path("out.patch"));
  EXPECT_THAT(reports.back().fix.commit_message, HasSubstr("a back"));
  EXPECT_THAT(reports.back().fix.commit_message, HasSubstr("b back"));
}

TEST_F(FixDeliveryTest, OneDiffCannotHoldTwoSources) {
  std::vector<FixReport> reports = {report("/one", "a"), report("/two", "b")};
  const Status status = deliver(reports, {true, false, path("out.patch")});
  ASSERT_FALSE(status.ok());
  EXPECT_THAT(status.error().message, HasSubstr("several source trees"));
  EXPECT_TRUE(fs::is_empty(dir_.path()));
}

TEST_F(FixDeliveryTest, NoPatchIsNoFile) {
  std::vector<FixReport> reports = {report(dir_.path(), "a")};
  reports.front().fix.files.clear();
  ASSERT_TRUE(deliver(reports, {true, false, path("out.patch")}).ok());
  EXPECT_FALSE(reports.front().applied);
  EXPECT_TRUE(fs::is_empty(dir_.path()));
}

}  // namespace
}  // namespace gordian
