// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What a killed process leaves behind is removed, and nothing else.
#include "base/owned_dir.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

namespace gordian {
namespace {

namespace fs = std::filesystem;

class OwnedDirs : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "gordian-owned-XXXXXX";
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    place_ = name;
  }
  void TearDown() override { fs::remove_all(place_); }

  /// What a process that made it and was killed leaves.
  fs::path left_behind(OwnedDir::Content content) {
    int told[2];
    EXPECT_EQ(::pipe(told), 0);
    const pid_t child = ::fork();
    if (child == 0) {
      auto made = OwnedDir::make(place_, "gordian-x", OwnedDir::Content::none);
      const std::string path = made ? made->path().string() : "";
      if (content == OwnedDir::Content::anything) std::ofstream(path + "/file") << "x";
      if (::write(told[1], path.data(), path.size()) < 0) ::_exit(1);
      ::raise(SIGKILL);
    }
    ::waitpid(child, nullptr, 0);
    char path[4096];
    const ssize_t size = ::read(told[0], path, sizeof path);
    ::close(told[0]);
    ::close(told[1]);
    return std::string(path, size > 0 ? static_cast<std::size_t>(size) : 0);
  }
  int sweep(OwnedDir::Content content = OwnedDir::Content::none) {
    return sweep_unowned(place_, "gordian-x", content);
  }
  fs::path make_by_hand(const std::string& letters, mode_t mode = 0700) {
    const fs::path path = place_ / ("gordian-x-" + std::to_string(::geteuid()) + "-" + letters);
    EXPECT_EQ(::mkdir(path.c_str(), mode), 0);
    return path;
  }

  fs::path place_;
};

TEST_F(OwnedDirs, OfAKilledProcessTheNextOneRemovesIt) {
  const fs::path old = left_behind(OwnedDir::Content::none);
  ASSERT_TRUE(fs::is_directory(old));
  auto made = OwnedDir::make(place_, "gordian-x", OwnedDir::Content::none);
  ASSERT_TRUE(made);
  EXPECT_FALSE(fs::exists(old));
  EXPECT_TRUE(fs::is_directory(made->path()));
}

TEST_F(OwnedDirs, NoPlaceIsNoPlace) {
  EXPECT_FALSE(OwnedDir::make("", "gordian-x", OwnedDir::Content::none));
  EXPECT_FALSE(OwnedDir::make(place_ / "none", "gordian-x", OwnedDir::Content::none));
}

TEST_F(OwnedDirs, OfALivingProcessItStays) {
  auto made = OwnedDir::make(place_, "gordian-x", OwnedDir::Content::none);
  ASSERT_TRUE(made);
  const OwnedDir moved = std::move(*made);
  EXPECT_EQ(sweep(), 0);
  EXPECT_TRUE(fs::is_directory(moved.path()));
}

TEST_F(OwnedDirs, AChildThatOutlivesItsMakerOwnsItStill) {
  int hold[2];
  ASSERT_EQ(::pipe(hold), 0);
  pid_t child = -1;
  {
    auto made = OwnedDir::make(place_, "gordian-x", OwnedDir::Content::none);
    ASSERT_TRUE(made);
    child = ::fork();
    if (child == 0) {
      ::close(hold[1]);
      char byte;
      ::_exit(::read(hold[0], &byte, 1) == 0 ? 0 : 1);  // until the other end is closed
    }
  }
  EXPECT_EQ(sweep(), 0);
  ::close(hold[1]);
  ::waitpid(child, nullptr, 0);
  EXPECT_EQ(sweep(), 1);
  ::close(hold[0]);
}

TEST_F(OwnedDirs, WhatIsNotEmptyIsRemovedOnlyWhereThatIsKnownToBeOurs) {
  const fs::path old = left_behind(OwnedDir::Content::anything);
  EXPECT_EQ(sweep(), 0);
  EXPECT_TRUE(fs::exists(old / "file"));
  EXPECT_EQ(sweep(OwnedDir::Content::anything), 1);
  EXPECT_FALSE(fs::exists(old));
}

TEST_F(OwnedDirs, NothingElseIsTouched) {
  const fs::path open_to_all = make_by_hand("abcdef", 0755), longer = make_by_hand("abcdefg");
  fs::create_directory(place_ / "gordian-x-abcdef");  // an older form, of nobody knows whom
  const fs::path elsewhere = place_ / "elsewhere";
  fs::create_directory(elsewhere);
  fs::create_directory_symlink(elsewhere,
                               place_ / ("gordian-x-" + std::to_string(::geteuid()) + "-linked"));
  EXPECT_EQ(sweep(OwnedDir::Content::anything), 0);
  for (const fs::path& path : {open_to_all, longer, place_ / "gordian-x-abcdef", elsewhere}) {
    EXPECT_TRUE(fs::is_directory(path)) << path;
  }
  if (::geteuid() != 0) return;
  const fs::path foreign = make_by_hand("others");
  ASSERT_EQ(::chown(foreign.c_str(), 65534, 65534), 0);
  EXPECT_EQ(sweep(OwnedDir::Content::anything), 0);
}

TEST_F(OwnedDirs, ManyAtOnceNeverTakeOneFromAnother) {
  std::vector<pid_t> children;
  for (int i = 0; i < 4; ++i) {
    children.push_back(::fork());
    if (children.back() != 0) continue;
    for (int round = 0; round < 200; ++round) {
      auto made = OwnedDir::make(place_, "gordian-x", OwnedDir::Content::none);
      if (!made || !fs::is_directory(made->path())) ::_exit(1);
    }  // never removed by who made it: the others sweep all the time
    ::_exit(0);
  }
  for (pid_t child : children) {
    int status = -1;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
}

TEST_F(OwnedDirs, ATemporaryDirectoryIsSweptWithAllItHolds) {
  const fs::path places[] = {place_};
  fs::path old;
  const pid_t child = ::fork();
  if (child == 0) {
    auto dir = TemporaryDir::make(places);
    std::ofstream(dir->path() / "trace") << "x";
    ::raise(SIGKILL);
  }
  ::waitpid(child, nullptr, 0);
  ASSERT_FALSE(fs::is_empty(place_));
  { auto dir = TemporaryDir::make(places); }
  EXPECT_TRUE(fs::is_empty(place_));
}

}  // namespace
}  // namespace gordian
