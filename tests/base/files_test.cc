// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Only regular files are read: others have no end, or no beginning.
#include "base/files.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <fstream>

#include "base/owned_dir.h"
#include "base/sha256.h"
#include "model/order_spec.h"
#include "model/target.h"

namespace gordian {
namespace {

namespace fs = std::filesystem;

class WholeFile : public testing::Test {
 protected:
  static TemporaryDir scratch() {
    const fs::path places[] = {testing::TempDir()};
    return std::move(*TemporaryDir::make(places));
  }
  fs::path make_socket() {
    const fs::path path = dir_.path() / "socket";
    socket_ = UniqueFd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path.native().copy(address.sun_path, sizeof address.sun_path - 1);
    EXPECT_EQ(::bind(socket_.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    return path;
  }
  fs::path make_pipe() {
    const fs::path path = dir_.path() / "pipe";
    EXPECT_EQ(::mkfifo(path.c_str(), 0600), 0);
    return path;
  }

  TemporaryDir dir_ = scratch();
  UniqueFd socket_;
};

TEST_F(WholeFile, IsAllOfIt) {
  const std::string text = "a\0b" + std::string(200'000, 'x');
  std::ofstream(dir_.path() / "file", std::ios::binary) << text;
  EXPECT_EQ(*read_regular(dir_.path() / "file"), text);
  EXPECT_EQ(whole_file(dir_.path() / "none"), std::nullopt);
}

TEST_F(WholeFile, IsNotReadBeyondWhatIsWanted) {
  const auto file = dir_.path() / "ten";
  ASSERT_TRUE(write_file(file.string(), "0123456789").ok());
  EXPECT_EQ(whole_file(file, 10), "0123456789");
  EXPECT_EQ(whole_file(file, 9), std::nullopt);
}

TEST_F(WholeFile, WhatIsNoFileIsRefusedByEveryReader) {
  const std::pair<fs::path, const char*> cases[] = {{"/dev/zero", "a device"},
                                                    {make_pipe(), "a pipe"},
                                                    {make_socket(), "a socket"},
                                                    {dir_.path(), "a directory"}};
  for (const auto& [path, kind] : cases) {
    const std::string sentence = path.string() + " is " + kind + ", not a regular file";
    auto read = read_regular(path);
    ASSERT_FALSE(read.ok());
    EXPECT_EQ(read.error().message, sentence);
    EXPECT_EQ(read.error().kind, ErrorKind::usage);
    EXPECT_EQ(sha256_file(path).error().kind, ErrorKind::target);
    if (path == dir_.path()) continue;  // may be a build, and is no order
    EXPECT_EQ(resolve_targets({path.string()}, {}).error().message, sentence);
    EXPECT_EQ(parse_order_spec(path.string()).error().message, "the order file " + sentence);
  }
}

}  // namespace
}  // namespace gordian
