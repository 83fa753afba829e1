// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "base/files.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <thread>

#include "base/unique_fd.h"
#include "tests/report/golden.h"

namespace gordian {
namespace {

namespace fs = std::filesystem;
using testing_support::read_all;

/// A limit on file sizes makes the write fail half-way, for root too. Ends the process: 7 on error.
[[noreturn]] void write_under_size_limit(const fs::path& path) {
  rlimit limit{4096, 4096};
  ::setrlimit(RLIMIT_FSIZE, &limit);
  std::signal(SIGXFSZ, SIG_IGN);
  std::exit(write_file(path.string(), std::string(10'000, 'x')).ok() ? 0 : 7);
}

class WriteFile : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "gordian-write-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    dir_ = pattern;
  }
  void TearDown() override { fs::remove_all(dir_); }

  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(dir_), {}));
  }
  fs::path dir_;
};

TEST_F(WriteFile, NewFileHonoursTheUmask) {
  mode_t before = ::umask(027);
  Status status = write_file((dir_ / "out").string(), "hello");
  ::umask(before);
  ASSERT_TRUE(status.ok()) << status.error().message;
  EXPECT_EQ(read_all(dir_ / "out"), "hello");
  EXPECT_EQ(static_cast<unsigned>(fs::status(dir_ / "out").permissions()), 0640U);
  EXPECT_EQ(files(), 1U);
}

TEST_F(WriteFile, OldReadersKeepTheOldContentAndTheModeStays) {
  fs::path path = dir_ / "out";
  ASSERT_TRUE(write_file(path.string(), "old").ok());
  fs::permissions(path, fs::perms(0604));
  std::ifstream reader(path);
  ASSERT_TRUE(write_file(path.string(), "new").ok());
  std::string seen;
  reader >> seen;
  EXPECT_EQ(seen, "old");
  EXPECT_EQ(read_all(path), "new");
  EXPECT_EQ(static_cast<unsigned>(fs::status(path).permissions()), 0604U);
}

TEST_F(WriteFile, FollowsASymbolicLink) {
  ASSERT_TRUE(write_file((dir_ / "real").string(), "old").ok());
  fs::create_symlink("real", dir_ / "link");
  ASSERT_TRUE(write_file((dir_ / "link").string(), "new").ok());
  EXPECT_TRUE(fs::is_symlink(dir_ / "link"));
  EXPECT_EQ(read_all(dir_ / "real"), "new");
}

TEST_F(WriteFile, BadPathsAreTheUsersFault) {
  for (const std::string& path : {(dir_ / "no" / "out").string(), dir_.string(), std::string(),
                                  std::string("/proc/nowhere/out")}) {
    Status status = write_file(path, "x");
    ASSERT_FALSE(status.ok()) << path;
    EXPECT_EQ(status.error().kind, ErrorKind::usage) << status.error().message;
  }
}

TEST_F(WriteFile, FullDiskIsAnErrorOfTheMachine) {
  Status status = write_file("/dev/full", "x");
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().kind, ErrorKind::internal);
  EXPECT_NE(status.error().message.find("No space left"), std::string::npos);
}

TEST_F(WriteFile, ErrorLeavesTheOldFileAndNoTemporary) {
  fs::path path = dir_ / "out";
  ASSERT_TRUE(write_file(path.string(), "old").ok());
  EXPECT_EXIT(write_under_size_limit(path), ::testing::ExitedWithCode(7), "");
  EXPECT_EQ(read_all(path), "old");
  EXPECT_EQ(files(), 1U);
}

TEST(WriteAll, WaitsForASlowReader) {
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC | O_NONBLOCK), 0);
  UniqueFd in(ends[0]), out(ends[1]);
  std::string content(300'000, 'x');
  std::size_t seen = 0;
  std::thread reader([&] {
    char buffer[4096];
    while (seen < content.size()) {
      ssize_t got = ::read(in.get(), buffer, sizeof buffer);
      if (got > 0) seen += static_cast<std::size_t>(got);
    }
  });
  EXPECT_TRUE(write_all(out.get(), content, "pipe").ok());
  reader.join();
  EXPECT_EQ(seen, content.size());
}

}  // namespace
}  // namespace gordian
