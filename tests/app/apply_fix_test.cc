// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "app/apply_fix.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <iterator>

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
    fix_.files = {{path("a.cc"), "old a\n", "new a\n"}, {path("g.h"), std::nullopt, "guards\n"}};
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
  fix_.files = {{path("project/a.cc"), "old a\n", "new a\n"}};
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
  fix_.files = {{path("project/include/g.h"), std::nullopt, "guards\n"}};
  expect_refused(apply_fix(fix_, {}), "outside of the project");
  EXPECT_FALSE(there("elsewhere/g.h"));
}

TEST_F(ApplyFix, AProjectThatIsReachedThroughALinkIsStillTheProject) {
  fs::create_directory(dir_ / "project");
  fs::rename(dir_ / "a.cc", dir_ / "project/a.cc");
  fs::create_directory_symlink("project", dir_ / "alias");
  fix_.source_root = path("alias");
  fix_.files = {{path("alias/a.cc"), "old a\n", "new a\n"}};
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
  fix_.files[1].path = path("a.cc") + "/g.h";
  const Status status = apply_fix(fix_, {});
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.error().message.find("nothing was changed"), std::string::npos);
  EXPECT_EQ(read("a.cc"), "old a\n");
}

}  // namespace
}  // namespace gordian
