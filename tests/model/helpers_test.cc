// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
// The small helpers that suite/ and symbols/ stand on: subprocesses and digests.
#include <csignal>

#include "base/sha256.h"
#include "base/subprocess.h"
#include "tests/model/scratch_dir.h"

namespace gordian {
namespace {

using namespace std::chrono_literals;

std::string digest(std::string_view text) {
  Sha256 hash;
  hash.update(text);
  return hash.hex_digest();
}

TEST(Sha256, KnownVectors) {
  EXPECT_EQ(digest(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(digest("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(digest("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(digest(std::string(1'000'000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, PiecesGiveTheSameAsTheWhole) {
  std::string text;
  for (int size = 0; size < 200; ++size) {
    Sha256 pieces;
    for (std::size_t at = 0; at < text.size(); at += 7) pieces.update(text.substr(at, 7));
    ASSERT_EQ(pieces.hex_digest(), digest(text)) << size;
    text += static_cast<char>('a' + size % 26);
  }
}

using Sha256File = ScratchDir;

TEST_F(Sha256File, HashesAFileAndReportsAMissingOne) {
  const std::string content(300'000, 'x');
  EXPECT_EQ(*sha256_file(write("f", content)), digest(content));
  EXPECT_FALSE(sha256_file(dir_ / "none").ok());
}

TEST(Subprocess, KeepsBothStreamsAndTheExitCode) {
  auto ran = run_subprocess({"sh", "-c", "echo out; echo err >&2; exit 3"});
  ASSERT_TRUE(ran.ok()) << ran.error().message;
  EXPECT_EQ(ran->out, "out\n");
  EXPECT_EQ(ran->err, "err\n");
  EXPECT_EQ(ran->exit_code, 3);
  EXPECT_FALSE(ran->succeeded());
}

TEST(Subprocess, WordsReachTheProgramAsTheyAre) {
  auto ran = run_subprocess({"printf", "%s|", "a b", "$HOME", "*"});
  ASSERT_TRUE(ran.ok()) << ran.error().message;
  EXPECT_EQ(ran->out, "a b|$HOME|*|");
  EXPECT_TRUE(ran->succeeded());
}

TEST(Subprocess, DirectoryAndEnvironmentAreSet) {
  ::setenv("GORDIAN_TEST_GONE", "still here", 1);
  SubprocessOptions options;
  options.working_dir = "/";
  options.env = {{"GORDIAN_TEST_NEW", "new"}, {"GORDIAN_TEST_GONE", std::nullopt}};
  auto ran = run_subprocess(
      {"sh", "-c", "pwd; echo $GORDIAN_TEST_NEW; echo ${GORDIAN_TEST_GONE-unset}"}, options);
  ::unsetenv("GORDIAN_TEST_GONE");
  ASSERT_TRUE(ran.ok()) << ran.error().message;
  EXPECT_EQ(ran->out, "/\nnew\nunset\n");
}

TEST(Subprocess, ATimeoutEndsTheWholeGroup) {
  SubprocessOptions options;
  options.timeout = 100ms;
  const auto start = std::chrono::steady_clock::now();
  auto ran = run_subprocess({"sh", "-c", "sleep 100 | sleep 100"}, options);
  ASSERT_TRUE(ran.ok()) << ran.error().message;
  EXPECT_TRUE(ran->timed_out);
  EXPECT_EQ(ran->signal, SIGKILL);
  EXPECT_LT(std::chrono::steady_clock::now() - start, 20s);
}

TEST(Subprocess, ATimeoutEndsEndlessOutputToo) {
  SubprocessOptions options;
  options.timeout = 100ms;
  options.output_limit = 1000;
  auto ran = run_subprocess({"yes"}, options);
  ASSERT_TRUE(ran.ok()) << ran.error().message;
  EXPECT_TRUE(ran->timed_out);
  EXPECT_TRUE(ran->truncated);
  EXPECT_EQ(ran->out.size(), 1000u);
}

TEST(Subprocess, AChildLeftBehindDoesNotHoldUs) {
  SubprocessOptions options;
  options.timeout = 20s;
  const auto start = std::chrono::steady_clock::now();
  auto ran = run_subprocess({"sh", "-c", "sleep 3 & echo done"}, options);
  ASSERT_TRUE(ran.ok()) << ran.error().message;
  EXPECT_EQ(ran->out, "done\n");
  EXPECT_LT(std::chrono::steady_clock::now() - start, 2500ms);
}

TEST(Subprocess, LargeOutputArrivesWhole) {
  auto ran = run_subprocess({"head", "-c", "3000000", "/dev/zero"});
  ASSERT_TRUE(ran.ok()) << ran.error().message;
  EXPECT_EQ(ran->out.size(), 3'000'000u);
  EXPECT_FALSE(ran->truncated);
}

TEST(Subprocess, WhatCannotStartIsAnError) {
  EXPECT_FALSE(run_subprocess({"gordian-no-such-program"}).ok());
  SubprocessOptions options;
  options.working_dir = "/no/such/directory";
  EXPECT_FALSE(run_subprocess({"true"}, options).ok());
}

}  // namespace
}  // namespace gordian
