// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "batch/identity.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>

#include "tests/model/scratch_dir.h"

namespace gordian::batch {
namespace {

class BatchIdentity : public ScratchDir {
 public:
  BatchIdentity() { batch_.binary = write("tests", "one").string(); }

  std::string identity() {
    auto text = identity_text(batch_);
    EXPECT_TRUE(text.ok());
    return text ? *text : "";
  }

  Batch batch_{"", {"--flag"}, {"--isolate=fork"}, {7, 42}};
};

TEST_F(BatchIdentity, IsTheSameTwice) {
  EXPECT_EQ(identity(), identity());
}

TEST_F(BatchIdentity, ChangesWithEverythingThatMatters) {
  const std::string before = identity();
  batch_.args = {"--other"};
  EXPECT_NE(identity(), before);
  batch_.args = {"--flag"};
  batch_.options = {"--isolate=process"};
  EXPECT_NE(identity(), before);
  batch_.options = {"--isolate=fork"};
  batch_.ctest.start = 43;
  EXPECT_NE(identity(), before);
  batch_.ctest.start = 42;
  EXPECT_EQ(identity(), before);
  ::setenv("GORDIAN_IDENTITY_TEST", "1", 1);
  EXPECT_NE(identity(), before);
  ::unsetenv("GORDIAN_IDENTITY_TEST");
}

TEST_F(BatchIdentity, AnArgumentIsNoOption) {
  const std::string before = identity();
  batch_.args = {};
  batch_.options = {"--isolate=fork", "--flag"};
  EXPECT_NE(identity(), before);
}

TEST_F(BatchIdentity, ARebuiltFileIsAnother) {
  const std::string before = identity();
  write("tests", "longer");
  EXPECT_NE(identity(), before);
}

TEST_F(BatchIdentity, NoFileIsAnError) {
  batch_.binary += "-not";
  EXPECT_FALSE(identity_text(batch_).ok());
}

TEST(SocketName, SpreadsAndIsAFileName) {
  EXPECT_NE(socket_name("a", {7, 1}), socket_name("b", {7, 1}));
  EXPECT_TRUE(socket_name("a", {7, 1}).starts_with("7-"));
  EXPECT_EQ(socket_name("a/b", {7, 1}).find('/'), std::string::npos);
}

TEST(ProcessNames, ReadBackAndTellTheLiving) {
  ProcessName someone = find_ctest();
  EXPECT_TRUE(is_alive(someone));
  auto read = ProcessName::parse(someone.text());
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read->pid, someone.pid);
  EXPECT_EQ(read->start, someone.start);
  ++someone.start;  // the number was given to another process since
  EXPECT_FALSE(is_alive(someone));
  for (const char* wrong : {"", "7", ":", "7:", ":7", "x:7", "-1:7"}) {
    EXPECT_FALSE(ProcessName::parse(wrong).ok()) << wrong;
  }
}

}  // namespace
}  // namespace gordian::batch
