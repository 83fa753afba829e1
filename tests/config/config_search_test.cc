// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <sys/stat.h>
#include <unistd.h>

#include "config/config_file.h"
#include "tests/model/scratch_dir.h"

namespace gordian {
namespace {

namespace fs = std::filesystem;

constexpr uid_t kSomebody = 12345;

class ConfigSearch : public ScratchDir {
 protected:
  void SetUp() override { ::unsetenv("SUDO_UID"); }

  /// False as an ordinary user, who cannot give anything away.
  static bool give_away(const fs::path& path) {
    return ::chown(path.c_str(), kSomebody, static_cast<gid_t>(-1)) == 0;
  }
  void expect_passed_over(const fs::path& from, const fs::path& file, const std::string& why) {
    const FoundConfig found = find_config(from);
    EXPECT_FALSE(found.file) << *found.file;
    EXPECT_NE(found.passed_over.find(file.string() + " is not obeyed"), std::string::npos)
        << found.passed_over;
    EXPECT_NE(found.passed_over.find(why), std::string::npos) << found.passed_over;
  }
};

TEST_F(ConfigSearch, IsFoundUpToTheRepository) {
  fs::create_directories(dir_ / "repo/.git");
  fs::create_directories(dir_ / "repo/a/b");
  write(kConfigName, "", 0644);
  EXPECT_FALSE(find_config(dir_ / "repo/a/b").file);  // above the repository: not ours
  EXPECT_EQ(new_config(dir_ / "repo/a/b"), dir_ / "repo" / kConfigName);
  write("repo/.gordian.toml", "", 0644);
  EXPECT_EQ(find_config(dir_ / "repo/a/b").file, dir_ / "repo" / kConfigName);
  write("repo/a/.gordian.toml", "", 0644);
  EXPECT_EQ(find_config(dir_ / "repo/a/b").file, dir_ / "repo/a" / kConfigName);
  EXPECT_EQ(find_config(dir_ / "repo/a/b").passed_over, "");
}

TEST_F(ConfigSearch, ADirectoryThatEverybodyCanWriteToEndsIt) {
  fs::create_directories(dir_ / "open/mine");
  for (mode_t mode : {0777, 01777}) {  // as /tmp is
    ASSERT_EQ(::chmod((dir_ / "open").c_str(), mode), 0);
    const fs::path planted = write("open/.gordian.toml", "", 0644);
    expect_passed_over(dir_ / "open/mine", planted, "open can be written by every user");
    fs::remove(planted);
    const fs::path above = write(kConfigName, "", 0644);
    expect_passed_over(dir_ / "open/mine", above, "open can be written by every user");
    fs::remove(above);
  }
  EXPECT_EQ(find_config(dir_ / "open/mine").passed_over, "");  // nothing there: nothing to say
  const fs::path mine = write("open/mine/.gordian.toml", "", 0644);
  EXPECT_EQ(find_config(dir_ / "open/mine").file, mine);
}

TEST_F(ConfigSearch, AFileThatEverybodyCanWriteIsNotObeyed) {
  const fs::path file = write(kConfigName, "", 0666);
  ASSERT_EQ(::chmod(file.c_str(), 0666), 0);
  expect_passed_over(dir_, file, ".gordian.toml can be written by every user");
}

TEST_F(ConfigSearch, SomebodyElsesFileIsNotObeyed) {
  const fs::path file = write(kConfigName, "", 0644);
  if (!give_away(file)) GTEST_SKIP() << "needs root";
  expect_passed_over(dir_, file, "belongs to another user (uid 12345)");
}

TEST_F(ConfigSearch, ALinkDoesNotMakeSomebodyElsesFileOurs) {
  const fs::path file = write("elsewhere/theirs.toml", "", 0644);
  fs::create_symlink(file, dir_ / kConfigName);
  if (!give_away(file)) GTEST_SKIP() << "needs root";
  expect_passed_over(dir_, dir_ / kConfigName, "belongs to another user");
}

TEST_F(ConfigSearch, SomebodyElsesDirectoryEndsIt) {
  fs::create_directories(dir_ / "theirs/mine");
  const fs::path file = write(kConfigName, "", 0644);
  EXPECT_EQ(find_config(dir_ / "theirs/mine").file, file);
  if (!give_away(dir_ / "theirs")) GTEST_SKIP() << "needs root";
  expect_passed_over(dir_ / "theirs/mine", file, "theirs belongs to another user (uid 12345)");
}

TEST_F(ConfigSearch, WhoBecameRootBySudoHasHisOwnFilesObeyed) {
  const fs::path file = write(kConfigName, "", 0644);
  if (!give_away(file) || !give_away(dir_)) GTEST_SKIP() << "needs root";
  ::setenv("SUDO_UID", "12345", 1);
  EXPECT_EQ(find_config(dir_).file, file);
  for (const char* other : {"12346", "", "12345x", "-1"}) {
    ::setenv("SUDO_UID", other, 1);
    EXPECT_FALSE(find_config(dir_).file) << other;
  }
  ::unsetenv("SUDO_UID");
}

TEST_F(ConfigSearch, ANewFileIsNotPutBesideARepositoryOfSomebodyElses) {
  fs::create_directories(dir_ / "open/.git");
  fs::create_directories(dir_ / "open/mine");
  ASSERT_EQ(::chmod((dir_ / "open").c_str(), 01777), 0);
  EXPECT_EQ(new_config(dir_ / "open/mine"), dir_ / "open/mine" / kConfigName);
}

}  // namespace
}  // namespace gordian
