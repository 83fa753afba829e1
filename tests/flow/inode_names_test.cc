// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "flow/external/process_files.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

namespace gordian {
namespace {

FileEntry file(std::uint64_t inode, std::uint32_t links, std::int64_t born) {
  FileEntry entry;
  entry.mode = S_IFREG | 0644;
  entry.inode = inode;
  entry.links = links;
  entry.born_ns = born;
  entry.device = 5;
  return entry;
}

TEST(InodeNames, HardLinksShareTheNameThatWasSeenFirst) {
  InodeNames names;
  EXPECT_EQ(names.name(file(7, 2, 100), 1, "/a"), "/a");
  EXPECT_EQ(names.name(file(7, 2, 100), 1, "/b"), "/a");
}

TEST(InodeNames, AFileWithOneLinkHasItsOwnName) {
  InodeNames names;
  EXPECT_EQ(names.name(file(7, 1, 100), 1, "/a.tmp"), "/a.tmp");
  EXPECT_EQ(names.name(file(7, 1, 100), 1, "/a"), "/a") << "renamed";
}

TEST(InodeNames, ANumberUsedAgainIsAnotherFile) {
  InodeNames names;
  names.name(file(7, 2, 100), 1, "/old");
  EXPECT_EQ(names.name(file(7, 2, 101), 1, "/new"), "/new");
}

TEST(InodeNames, WithoutATimeOfBirthTheNameGoesWithTheLastLink) {
  InodeNames names;
  names.will_be_linked(file(7, 1, 0), 1, "/old");
  names.will_be_unlinked(file(7, 2, 0), 1);
  EXPECT_EQ(names.name(file(7, 1, 0), 1, "/other"), "/old") << "one link is left";
  names.will_be_unlinked(file(7, 1, 0), 1);
  EXPECT_EQ(names.name(file(7, 1, 0), 1, "/new"), "/new");
}

TEST(InodeNames, WithoutATimeOfBirthProcessesAreToldApart) {
  InodeNames names;
  names.name(file(7, 2, 0), 1, "/here");
  EXPECT_EQ(names.name(file(7, 2, 0), 2, "/there"), "/there");
}

TEST(InodeNames, PrivateLayersShowTheSameFileOnOtherDevices) {
  InodeNames names;
  FileEntry layer = file(7, 2, 100);
  names.name(layer, 1, "/a");
  layer.device = 6;
  EXPECT_EQ(names.name(layer, 2, "/b"), "/a");
}

}  // namespace
}  // namespace gordian
