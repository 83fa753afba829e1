// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "flow/external/external_calls.h"

#include <gtest/gtest.h>
#include <sys/syscall.h>

#include "runtime/native/syscall_watch.h"

namespace gordian {
namespace {

constexpr std::uint64_t kText = 0x1000, kOther = 0x2000;
constexpr auto kHere = static_cast<std::uint64_t>(AT_FDCWD);

PathUse opened(std::uint64_t flags) {
  return read_external_call(SYS_openat, {kHere, kText, flags, 0644}).paths.at(0);
}

TEST(ExternalCalls, EveryWatchedCallIsUnderstood) {
  for (long number : watched_calls()) {
    ExternalCall call = read_external_call(number, {kText, kText, kText, kText, kText, kText});
    EXPECT_TRUE(!call.paths.empty() || call.asks_where || call.umask || call.lists || call.socket)
        << "system call " << number;
  }
}

TEST(ExternalCalls, OpeningToReadWritesNothing) {
  EXPECT_TRUE(opened(O_RDONLY).reads);
  EXPECT_FALSE(opened(O_RDONLY).writes);
}

TEST(ExternalCalls, OpeningToReadAndWriteMayDoBoth) {
  EXPECT_TRUE(opened(O_RDWR).reads);
  EXPECT_TRUE(opened(O_RDWR).writes);
  EXPECT_TRUE(opened(O_WRONLY | O_CREAT).reads);
}

TEST(ExternalCalls, OverwritingDoesNotRead) {
  EXPECT_FALSE(opened(O_WRONLY | O_CREAT | O_TRUNC).reads);
  EXPECT_TRUE(opened(O_WRONLY | O_CREAT | O_TRUNC | O_EXCL).reads) << "fails if it is there";
  EXPECT_TRUE(opened(O_WRONLY | O_TRUNC).reads) << "fails if it is not";
}

TEST(ExternalCalls, CreatingExclusivelyFollowsNoLink) {
  EXPECT_TRUE(opened(O_RDONLY).follow);
  EXPECT_FALSE(opened(O_RDONLY | O_NOFOLLOW).follow);
  EXPECT_FALSE(opened(O_WRONLY | O_CREAT | O_EXCL).follow);
}

TEST(ExternalCalls, FlagsOfOpenat2ComeFromMemory) {
  ExternalCall call = read_external_call(SYS_openat2, {kHere, kText, 0, 0}, O_RDWR | O_CREAT);
  EXPECT_TRUE(call.paths.at(0).writes);
  EXPECT_TRUE(call.masked);
}

TEST(ExternalCalls, RenamingTakesOneNameAndReplacesAnother) {
  ExternalCall call = read_external_call(SYS_rename, {kText, kOther});
  ASSERT_EQ(call.paths.size(), 2u);
  EXPECT_TRUE(call.paths[0].reads && call.paths[0].writes && call.paths[0].unlinks);
  EXPECT_EQ(call.paths[1].text, kOther);
  EXPECT_TRUE(!call.paths[1].reads && call.paths[1].writes);
}

TEST(ExternalCalls, FlagsDecideAboutLinksAndDirectories) {
  EXPECT_FALSE(
      read_external_call(SYS_newfstatat, {3, kText, 0, AT_SYMLINK_NOFOLLOW}).paths[0].follow);
  EXPECT_TRUE(read_external_call(SYS_newfstatat, {3, kText, 0, 0}).paths[0].follow);
  EXPECT_TRUE(
      read_external_call(SYS_linkat, {3, kText, 4, kOther, AT_SYMLINK_FOLLOW}).paths[0].follow);
  EXPECT_TRUE(read_external_call(SYS_unlinkat, {3, kText, AT_REMOVEDIR}).paths[0].empties);
  EXPECT_FALSE(read_external_call(SYS_unlinkat, {3, kText, 0}).paths[0].empties);
}

TEST(ExternalCalls, TheWorkingDirectoryAndTheMask) {
  EXPECT_TRUE(read_external_call(SYS_chdir, {kText}).enters);
  EXPECT_EQ(read_external_call(SYS_fchdir, {7}).paths.at(0).directory, 7);
  EXPECT_EQ(read_external_call(SYS_umask, {01077}).umask, 077u);
}

}  // namespace
}  // namespace gordian
