// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Our own files, looked at as if we were another process.
#include "flow/external/process_files.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/model/scratch_dir.h"

namespace gordian {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::Not;

class ProcessFilesTest : public ScratchDir {
 protected:
  PathWalk walk(const std::string& path, bool follow = true) {
    return files_.walk(dir_.string(), path, follow);
  }
  std::string at(const char* name) const { return (dir_ / name).string(); }

  ProcessFiles files_{::getpid()};
};

TEST_F(ProcessFilesTest, AFileIsReachedThroughItsDirectories) {
  write("d/f", "x");
  PathWalk found = walk("d/../d/./f");
  EXPECT_EQ(found.path, at("d/f"));
  ASSERT_TRUE(found.entry);
  EXPECT_TRUE(found.entry->is_regular());
  EXPECT_THAT(found.passed, Contains(at("d")));
}

TEST_F(ProcessFilesTest, LinksAreFollowedAndTold) {
  write("d/f", "x");
  fs::create_directory_symlink("d", dir_ / "link");
  fs::create_symlink(at("d/f"), dir_ / "absolute");
  EXPECT_EQ(walk("link/f").path, at("d/f"));
  EXPECT_THAT(walk("link/f").passed, Contains(at("link")));
  EXPECT_EQ(walk("absolute").path, at("d/f"));
  EXPECT_EQ(walk("absolute", false).path, at("absolute"));
  EXPECT_TRUE(walk("absolute", false).entry->is_link());
}

TEST_F(ProcessFilesTest, WhatIsMissingIsTheEnd) {
  EXPECT_EQ(walk("none").path, at("none"));
  EXPECT_TRUE(walk("none").reached);
  EXPECT_FALSE(walk("none").entry);
  EXPECT_EQ(walk("none/f").path, at("none"));
  EXPECT_FALSE(walk("none/f").reached);
}

TEST_F(ProcessFilesTest, ADanglingLinkLeadsToWhatCouldBeMade) {
  fs::create_symlink("target", dir_ / "link");
  EXPECT_EQ(walk("link").path, at("target"));
  EXPECT_TRUE(walk("link").reached);
}

TEST_F(ProcessFilesTest, LinksInACircleEnd) {
  fs::create_symlink("b", dir_ / "a");
  fs::create_symlink("a", dir_ / "b");
  EXPECT_TRUE(walk("a").entry->is_link());
}

TEST_F(ProcessFilesTest, HardLinksAreOneInode) {
  write("f", "x");
  fs::create_hard_link(dir_ / "f", dir_ / "g");
  EXPECT_EQ(walk("f").entry->inode, walk("g").entry->inode);
  EXPECT_EQ(walk("f").entry->links, 2u);
}

TEST_F(ProcessFilesTest, DescriptorsHavePaths) {
  UniqueFd fd(::open(write("f", "x").c_str(), O_RDONLY));
  EXPECT_EQ(files_.path_of(fd.get()), at("f"));
  EXPECT_EQ(walk("/proc/self/fd/" + std::to_string(fd.get())).path, at("f"));
  fs::remove(dir_ / "f");
  EXPECT_EQ(files_.path_of(fd.get()), std::nullopt) << "its name is gone";
}

TEST_F(ProcessFilesTest, TheTopOfAMountIsAboveTheDirectory) {
  write("d/f", "x");
  const std::string top = files_.top_of_mount(at("d"));
  EXPECT_TRUE(top == "/" || (at("d") + "/").starts_with(top + "/"));
  EXPECT_THAT(top, Not(testing::StrEq(at("d"))));
}

}  // namespace
}  // namespace gordian
