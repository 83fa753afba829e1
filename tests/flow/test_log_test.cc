// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "flow/external/test_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/model/scratch_dir.h"

namespace gordian {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::Field;
using testing::IsEmpty;
using testing::Property;
using testing::UnorderedElementsAre;

testing::Matcher<ExternalAccess> uses(const std::string& name, bool read, bool write) {
  return AllOf(Field(&ExternalAccess::key, Property(&StateKey::text, name)),
               Field(&ExternalAccess::read, read), Field(&ExternalAccess::write, write));
}

class TestLogTest : public ScratchDir {
 protected:
  void use(const char* name, TestLog::FileUse use) {
    log_.file((dir_ / name).string(), (dir_ / name).string(), use, files_, {});
  }
  std::vector<ExternalAccess> finish() { return log_.finish(dir_.string()).accesses; }

  ProcessFiles files_{::getpid()};
  TestLog log_{TestId(0), 0, ::getpid(), 0};
  const TestLog::FileUse read_{}, change_{true, true}, replace_{false, true, true, false, true};
};

TEST_F(TestLogTest, AFileThatIsMadeIsWrittenWithItsDirectory) {
  use("f", replace_);
  write("f", "x");
  EXPECT_THAT(finish(), UnorderedElementsAre(uses("f", false, true), uses("./", false, true)));
}

TEST_F(TestLogTest, WhatIsReadAfterItWasReplacedIsItsOwn) {
  write("f", "old", 0644);
  use("f", replace_);
  write("f", "new", 0644);
  use("f", read_);
  EXPECT_THAT(finish(), UnorderedElementsAre(uses("f", false, true)));
}

TEST_F(TestLogTest, WhatIsReadAfterAPartialWriteIsNot) {
  write("f", "old");
  use("f", {false, true, false, false, false});
  use("f", read_);
  EXPECT_THAT(finish(), UnorderedElementsAre(uses("f", true, false)));
}

TEST_F(TestLogTest, OpenedForWritingAndLeftAsItWas) {
  write("f", "same");
  use("f", change_);
  EXPECT_THAT(finish(), UnorderedElementsAre(uses("f", true, false)));
}

TEST_F(TestLogTest, ADirectoryMadeAnewIsLookedAtAgain) {
  write("d/f", "old");
  use("d/f", change_);
  use("d", change_);
  std::filesystem::remove_all(dir_ / "d");
  write("d/f", "new");
  EXPECT_THAT(finish(), Contains(uses("d/f", true, true)));
}

TEST_F(TestLogTest, TimesThatWereSetCount) {
  write("f", "x");
  use("f", {true, false, false, true});
  EXPECT_THAT(finish(), Contains(uses("f (attributes)", false, true)));
}

TEST_F(TestLogTest, ValuesThatComeBackAreUnchanged) {
  log_.value(CarrierKind::cwd, "/a", "/b", {});
  log_.value(CarrierKind::cwd, "/b", "/a", {});
  log_.value(CarrierKind::umask, "0022", "0077", {});
  EXPECT_THAT(finish(),
              UnorderedElementsAre(uses("cwd", false, false), uses("umask", false, true)));
}

TEST_F(TestLogTest, APeerIsReadAndWritten) {
  log_.peer("127.0.0.1:80", false, {});
  log_.peer("10.0.0.1:53", true, {});
  EXPECT_THAT(finish(), UnorderedElementsAre(uses("127.0.0.1:80", true, true),
                                             uses("10.0.0.1:53", true, false)));
}

ExternalTest did(std::vector<ExternalAccess> accesses) {
  return {TestId(0), 0, 1, std::move(accesses), {}};
}

TEST(KeepShared, OnlyWhatSomebodyWroteIsState) {
  const CarrierKind file = CarrierKind::file;
  std::vector tests = {
      did({{{file, "a"}, false, true, {}, {}}, {{file, "lib.so"}, true, false, {}, {}}}),
      did({{{file, "a"}, true, false, {}, {}}, {{file, "lib.so"}, true, false, {}, {}}})};
  keep_shared(tests);
  EXPECT_THAT(tests[0].accesses, UnorderedElementsAre(uses("a", false, true)));
  EXPECT_THAT(tests[1].accesses, UnorderedElementsAre(uses("a", true, false)));
}

TEST(KeepShared, WhoeverTouchesAFileReadsItsRights) {
  const CarrierKind file = CarrierKind::file;
  std::vector tests = {did({{{file, "a (attributes)"}, false, true, {}, {}}}),
                       did({{{file, "a"}, false, false, {}, {}}}), did({})};
  keep_shared(tests);
  EXPECT_THAT(tests[1].accesses, UnorderedElementsAre(uses("a (attributes)", true, false)));
  EXPECT_THAT(tests[2].accesses, IsEmpty());
}

}  // namespace
}  // namespace gordian
