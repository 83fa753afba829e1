// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "app/fix_delivery.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "base/owned_dir.h"
#include "base/subprocess.h"

namespace gordian {
namespace {

namespace fs = std::filesystem;

class ApplyFix : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "gordian-apply-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    dir_ = name;
    write("a.cc", "old a\n");
    fix_.source_root = dir_.string();
    fix_.files = {{path("a.cc"), {"old a\n", "new a\n"}},
                  {path("g.h"), {std::nullopt, "guards\n"}}};
  }
  void TearDown() override { fs::remove_all(dir_); }

  std::string path(const char* name) const { return (dir_ / name).string(); }
  void write(const char* name, const std::string& text) const {
    std::ofstream(dir_ / name, std::ios::binary) << text;
  }
  std::string read(const char* name) const {
    std::ifstream in(dir_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  bool there(const char* name) const { return fs::exists(dir_ / name); }
  void git(std::vector<std::string> words) const {
    std::vector<std::string> argv = {
        "git", "-C", dir_.string(), "-c", "user.name=x", "-c", "user.email=x@example.com"};
    argv.insert(argv.end(), words.begin(), words.end());
    auto ran = run_subprocess(argv);
    ASSERT_TRUE(ran.ok() && ran->succeeded()) << (ran ? ran->err : ran.error().message);
  }
  void expect_refused(const Status& status, const std::string& part) const {
    ASSERT_FALSE(status.ok());
    EXPECT_NE(status.error().message.find(part), std::string::npos) << status.error().message;
    EXPECT_NE(status.error().message.find("nothing was changed"), std::string::npos);
    EXPECT_FALSE(status.error().hint.empty());
  }

  fs::path dir_;
  FixFacts fix_;
};

TEST_F(ApplyFix, WritesEveryFileAndKeepsModes) {
  ASSERT_EQ(::chmod(path("a.cc").c_str(), 0751), 0);
  EXPECT_TRUE(source_is_untouched(fix_.files));
  ASSERT_TRUE(apply_fix(fix_, {}).ok());
  EXPECT_EQ(read("a.cc"), "new a\n");
  EXPECT_EQ(read("g.h"), "guards\n");
  struct stat now {};
  ASSERT_EQ(::stat(path("a.cc").c_str(), &now), 0);
  EXPECT_EQ(now.st_mode & 07777U, 0751U);
  EXPECT_FALSE(source_is_untouched(fix_.files));
}

TEST_F(ApplyFix, FollowsALink) {
  fs::rename(dir_ / "a.cc", dir_ / "real.cc");
  fs::create_symlink("real.cc", dir_ / "a.cc");
  ASSERT_TRUE(apply_fix(fix_, {}).ok());
  EXPECT_TRUE(fs::is_symlink(dir_ / "a.cc"));
  EXPECT_EQ(read("real.cc"), "new a\n");
}

TEST_F(ApplyFix, DoesNotFollowALinkOutOfTheProject) {
  fs::create_directory(dir_ / "project");
  fs::rename(dir_ / "a.cc", dir_ / "somebody_elses.cc");
  fs::create_symlink("../somebody_elses.cc", dir_ / "project/a.cc");
  fix_.source_root = path("project");
  fix_.files = {{path("project/a.cc"), {"old a\n", "new a\n"}}};
  expect_refused(apply_fix(fix_, {}), "outside of the project");
  EXPECT_EQ(read("somebody_elses.cc"), "old a\n");
}

TEST_F(ApplyFix, WithoutAProjectNothingLiesInIt) {
  for (const std::string& root : {std::string(), path("nowhere")}) {
    fix_.source_root = root;
    expect_refused(apply_fix(fix_, {}), "is not there");
    EXPECT_EQ(read("a.cc"), "old a\n");
    EXPECT_FALSE(there("g.h"));
  }
}

TEST_F(ApplyFix, MakesNoFileInADirectoryThatALinkLeadsTo) {
  fs::create_directories(dir_ / "project");
  fs::create_directories(dir_ / "elsewhere");
  fs::create_directory_symlink("../elsewhere", dir_ / "project/include");
  fix_.source_root = path("project");
  fix_.files = {{path("project/include/g.h"), {std::nullopt, "guards\n"}}};
  expect_refused(apply_fix(fix_, {}), "outside of the project");
  EXPECT_FALSE(there("elsewhere/g.h"));
}

TEST_F(ApplyFix, AProjectThatIsReachedThroughALinkIsStillTheProject) {
  fs::create_directory(dir_ / "project");
  fs::rename(dir_ / "a.cc", dir_ / "project/a.cc");
  fs::create_directory_symlink("project", dir_ / "alias");
  fix_.source_root = path("alias");
  fix_.files = {{path("alias/a.cc"), {"old a\n", "new a\n"}}};
  ASSERT_TRUE(apply_fix(fix_, {}).ok());
  EXPECT_EQ(read("project/a.cc"), "new a\n");
}

TEST_F(ApplyFix, AFileThatChangedMeanwhileIsLeftAlone) {
  write("a.cc", "edited\n");
  expect_refused(apply_fix(fix_, {}), "has changed since");
  EXPECT_EQ(read("a.cc"), "edited\n");
  EXPECT_FALSE(there("g.h"));
}

TEST_F(ApplyFix, ANewFileThatIsThereIsLeftAlone) {
  write("g.h", "mine\n");
  expect_refused(apply_fix(fix_, {}), "is there already");
  EXPECT_EQ(read("a.cc"), "old a\n");
  EXPECT_EQ(read("g.h"), "mine\n");
}

TEST_F(ApplyFix, UncommittedChangesAreNotMixedWith) {
  git({"init", "-q"});
  write("a.cc", "committed\n");
  git({"add", "a.cc"});
  git({"commit", "-qm", "x"});
  write("a.cc", "old a\n");
  expect_refused(apply_fix(fix_, {}), "a.cc has changes that are not committed");
  EXPECT_EQ(read("a.cc"), "old a\n");
  EXPECT_FALSE(there("g.h"));
  EXPECT_TRUE(apply_fix(fix_, {.allow_dirty = true}).ok());
  EXPECT_EQ(read("a.cc"), "new a\n");
}

TEST_F(ApplyFix, UncommittedChangesOfOtherFilesDoNotMatter) {
  git({"init", "-q"});
  write("b.cc", "b\n");
  git({"add", "a.cc", "b.cc"});
  git({"commit", "-qm", "x"});
  write("b.cc", "edited\n");
  EXPECT_TRUE(apply_fix(fix_, {}).ok());
}

TEST_F(ApplyFix, AllOrNothing) {
  // Written in this order: the second one cannot be, since its folder is a file.
  auto guards = fix_.files.extract(path("g.h"));
  guards.key() = path("a.cc") + "/g.h";
  fix_.files.insert(std::move(guards));
  const Status status = apply_fix(fix_, {});
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.error().message.find("nothing was changed"), std::string::npos);
  EXPECT_EQ(read("a.cc"), "old a\n");
}

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
    report.fix.files = {{path(name), {std::nullopt, "new\n"}}};
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
  reports.back().fix.files.insert(*reports.front().fix.files.begin());
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
