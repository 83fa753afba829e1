// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "flow/external/test_log.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include "base/unique_fd.h"
#include "tests/model/scratch_dir.h"

namespace gordian {
namespace {

class FileImprintTest : public ScratchDir {
 protected:
  FileImprint imprint(const char* name) const {
    UniqueFd directory(::open(dir_.c_str(), O_PATH | O_DIRECTORY));
    return take_imprint(directory.get(), name);
  }
};

TEST_F(FileImprintTest, ContentOfTheSameSizeIsTold) {
  write("f", "one");
  FileImprint before = imprint("f");
  write("f", "two");
  EXPECT_TRUE(content_changed(before, imprint("f")));
}

TEST_F(FileImprintTest, ARewriteOfTheSameIsNoChange) {
  write("f", "one");
  FileImprint before = imprint("f");
  std::filesystem::remove(dir_ / "f");
  write("f", "one");
  EXPECT_FALSE(content_changed(before, imprint("f")));
  EXPECT_FALSE(attributes_changed(before, imprint("f")));
}

TEST_F(FileImprintTest, ComingAndGoingAreChanges) {
  FileImprint none = imprint("f");
  write("f", "");
  EXPECT_TRUE(content_changed(none, imprint("f")));
  EXPECT_TRUE(content_changed(imprint("f"), none));
  EXPECT_FALSE(content_changed(none, none));
}

TEST_F(FileImprintTest, ALinkIsItsTarget) {
  std::filesystem::create_symlink("a", dir_ / "link");
  FileImprint before = imprint("link");
  std::filesystem::remove(dir_ / "link");
  std::filesystem::create_symlink("b", dir_ / "link");
  EXPECT_TRUE(content_changed(before, imprint("link")));
}

TEST_F(FileImprintTest, RightsAreApart) {
  write("f", "one", 0644);
  FileImprint before = imprint("f");
  ::chmod((dir_ / "f").c_str(), 0600);
  EXPECT_FALSE(content_changed(before, imprint("f")));
  EXPECT_TRUE(attributes_changed(before, imprint("f")));
}

TEST_F(FileImprintTest, ANewFileStopsAnOverwriterOnlyByItsTypeOrRights) {
  FileImprint none = imprint("f");
  write("f", "", 0644);
  EXPECT_FALSE(attributes_changed(none, imprint("f")));
  ::chmod((dir_ / "f").c_str(), 0400);
  EXPECT_TRUE(attributes_changed(none, imprint("f")));
  std::filesystem::create_directory(dir_ / "d");
  EXPECT_TRUE(attributes_changed(none, imprint("d")));
}

TEST_F(FileImprintTest, WhatCannotBeReadCountsAsChanged) {
  write("f", "one");
  FileImprint unread = imprint("f");
  unread.whole = false;
  EXPECT_TRUE(content_changed(unread, imprint("f")));
}

}  // namespace
}  // namespace gordian
