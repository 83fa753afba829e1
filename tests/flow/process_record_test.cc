// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "flow/external/process_record.h"

#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstring>
#include <vector>

#include "wire/check.h"

namespace gordian {
namespace {

/// A program with one test, played by this process: it asks where it is.
class ProcessRecordTest : public testing::Test {
 protected:
  ProcessRecordTest() : memory_(sizeof(gordian_wire::Header) / 8 + 2) {
    header().plan_offset = sizeof(gordian_wire::Header);
    header().tokens = 1;
    header().nonce = 7;
  }
  gordian_wire::Header& header() {
    return *reinterpret_cast<gordian_wire::Header*>(memory_.data());
  }
  gordian_wire::WorkerState& worker() { return report_.worker[0]; }

  void say(pid_t pid, std::uint32_t token = 0) {
    worker().pid = static_cast<std::uint32_t>(pid);
    worker().slot = token;
    worker().check = check_of(worker(), 0, header().nonce);
  }
  /// How many tests a call of ours counts for.
  std::size_t tests_of_a_call() {
    ProcessRecord record(::getpid(), header(), report_, inodes_);
    seccomp_notif call{};
    call.pid = static_cast<std::uint32_t>(::getpid());
    call.data.nr = SYS_getcwd;
    record.take(call);
    return record.finish().size();
  }

  std::vector<std::uint64_t> memory_;
  gordian_wire::Report report_{};
  InodeNames inodes_;
};

TEST_F(ProcessRecordTest, ACallBelongsToTheTestThatRuns) {
  say(::getpid());
  EXPECT_EQ(tests_of_a_call(), 1u);
}

TEST_F(ProcessRecordTest, WhatDoesNotFitItsCheckIsNobodys) {
  say(::getpid());
  worker().check ^= 2;
  EXPECT_EQ(tests_of_a_call(), 0u);
}

TEST_F(ProcessRecordTest, AProcessThatIsNotTheProgramsIsNotLookedAt) {
  for (pid_t other : {::getppid(), 1, -1, 0}) {
    say(other);
    EXPECT_EQ(tests_of_a_call(), 0u) << other;
  }
}

}  // namespace
}  // namespace gordian
